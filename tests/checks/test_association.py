import pytest

from checks.good_more import good_collections
from winoglot.checks.association import check
from winoglot.checks.base import Context, NotRun


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_it_claims_nothing_without_counts(collection):
    with pytest.raises(NotRun, match="needs co-occurrence counts"):
        list(check(collection, Context()))
