
"use strict";
(() => {
  const form = document.getElementById("filter");
  const total = document.querySelectorAll("article").length;
  let articles = null;

  // Case and accents do not count, so that "nao" finds "não".
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

  const find = (root) => [...root.querySelectorAll("[data-find]")].map((element) => element.textContent).join("\n");

  const collect = () =>
    [...document.querySelectorAll("article")].map((article) => ({
      article,
      name: fold(find(article.querySelector("h2"))),
      versions: [...article.querySelectorAll(".version")].map((version) => ({
        version,
        language: version.dataset.language,
        tags: version.dataset.tags.split(" "),
        text: fold(find(version)),
      })),
    }));

  const filter = () => {
    articles ??= collect();
    const text = fold(form.elements.text.value);
    const tag = form.elements.tag?.value ?? "";
    const language = form.elements.language?.value ?? "";
    let shown = 0;
    for (const { article, name, versions } of articles) {
      let found = false;
      for (const { version, ...its } of versions) {
        version.hidden = language !== "" && its.language !== language;
        found ||= !version.hidden && (tag === "" || its.tags.includes(tag)) && (name.includes(text) || its.text.includes(text));
      }
      article.hidden = !found;
      shown += found;
    }
    form.elements.shown.value = `${shown} of ${total} schemas`;
  };

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  if (form.elements.text.value || form.elements.tag?.value || form.elements.language?.value) filter();

  // What is folded away is printed all the same.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
})();
