// What of jsPsych and of a browser the study's pages need, in Node.
globalThis.document = {createElement: () => ({set textContent(text) { this.innerHTML = text; }})};
globalThis.location = {search: "?list=" + process.argv[1]};
globalThis.jsPsychHtmlButtonResponse = {};
let answered;
globalThis.initJsPsych = () => ({
  randomization: {shuffle: list => [...list].reverse()},
  data: {get: () => ({last: () => ({values: () => [answered]})})},
  run: trials => {
    answered = {response: 0};
    trials[0].on_finish(answered);
    const shown = trials.filter(one => one.data).map(one => ({...one.data, choices: one.choices}));
    console.log(JSON.stringify({shown, answered, feedback: trials[1].stimulus()}));
  },
});
