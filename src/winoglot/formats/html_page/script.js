
"use strict";
(() => {
  const form = document.getElementById("filter");
  const total = document.querySelectorAll("article").length;
  let articles = null;

  // Case and accents do not count, so that "nao" finds "não".
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

  const find = (root) => [...root.querySelectorAll("a, bdi, .id, .text, .tags li")].map((element) => element.textContent).join("\n");

  // What is folded is packed, since it is most of the page; it is unpacked once.
  let parts = null;
  const unpack = async () => {
    if (parts) return;
    const packed = Uint8Array.from(atob(document.getElementById("folded").textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    parts = await new Response(stream).json();
  };
  const fill = (details) => {
    if (details.dataset.part === undefined) return;
    details.insertAdjacentHTML("beforeend", parts[details.dataset.part]);
    delete details.dataset.part;
  };
  const fillAll = () => document.querySelectorAll("details[data-part]").forEach(fill);
  addEventListener(
    "toggle",
    async ({ target }) => {
      await unpack();
      fill(target);
    },
    true,
  );
  unpack();

  const collect = () =>
    [...document.querySelectorAll("article")].map((article) => ({
      article,
      name: fold(find(article.querySelector("h2"))),
      versions: [...article.querySelectorAll(".version")].map((version) => ({
        version,
        language: version.lang,
        tags: version.dataset.tags.split(" "),
        text: fold(find(version)),
      })),
    }));

  const filter = async () => {
    await unpack();
    fillAll();
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
    if (parts) fillAll();
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
})();
