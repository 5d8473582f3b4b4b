"""How a model behaves when the text changes: one module per measure.

base                    what a measure is: a function of one model's run
analyse                 `wg.analyse`: models answer all variants once, and every measure is taken from the answers
sensitivity             how much other wordings change accuracy and single answers
probability             whether a candidate is more likely when it is right, and how far other wordings shift that
marginal                whether an item that a model is surest of has a twin that it is surely wrong about
preference              which position in the text is preferred when nothing decides
distribution            how far other wordings move what a model expects at the pronoun
representation          how far they move the states of its last layer
association_divergence  how far they change which candidate words that tend to occur together suggest
contamination           whether a model has read a published collection
"""
