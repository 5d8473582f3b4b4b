/* What a browser adds to the pages, which work without it: keys, the time that a text was visible, and answers that are
   kept and sent again when the connection is lost. */
(() => {
  "use strict";
  const root = document.documentElement, person = document.body.dataset.person;
  const $ = (selector, inside = document) => inside.querySelector(selector);
  const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  root.classList.add("js");

  // What is kept on this device. A browser may forbid it; then nothing is kept, and everything else works.
  const kept = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* full or forbidden */ } },
    drop: (key) => { try { localStorage.removeItem(key); } catch { /* forbidden */ } },
    keys: (start) => { try { return Object.keys(localStorage).filter((key) => key.startsWith(start)).sort(); } catch { return []; } },
  };
  // At the end, this person's drafts; where nobody is known any more, everything.
  if ("forget" in document.body.dataset) kept.keys("winoglot-").filter((key) => !person || key.includes(person)).forEach(kept.drop);

  // A form is sent once, however often its button is pressed. A page that comes back from the browser's memory is out of date.
  const isBusy = (form) => form.getAttribute("aria-busy") === "true";
  $$("form[data-once]").forEach((form) => form.addEventListener("submit", (event) => {
    if (isBusy(form)) event.preventDefault();
    form.setAttribute("aria-busy", "true");
  }));
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  $$("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy), label = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = label; }, 2000);
    } catch { getSelection().selectAllChildren(source); }
  }));
  $("[data-focus]")?.focus();

  // The time that the page was visible, in milliseconds.
  let before = 0, since = document.hidden ? null : performance.now();
  const visible = () => before + (since === null ? 0 : performance.now() - since);
  document.addEventListener("visibilitychange", () => {
    before = visible();
    since = document.hidden ? null : performance.now();
  });

  // 200: saved. Anything that a second attempt cannot change is answered by a page: send the form the plain way.
  const post = async (body) => {
    const response = await fetch("/answer", {
      method: "POST", body: new URLSearchParams(body), headers: { Accept: "application/json" },
      redirect: "error", signal: AbortSignal.timeout(20000),
    });
    if (response.ok) return (await response.json()).next;
    if (response.status < 500 && ![408, 425, 429].includes(response.status)) return null;
    throw new Error("busy");
  };

  const form = $("form[data-answers]"), unsent = `winoglot-unsent-${person}-`, draft = `winoglot-draft-${person}-`;
  if (person) (async () => { // answers of an earlier page that never arrived
    let next = null;
    for (const key of kept.keys(unsent)) {
      try { next = await post(kept.get(key)) || next; kept.drop(key); } catch { return; }
    }
    if (next) location.replace(next);
  })();

  if (form) {
    const problems = $$(".problem", form), status = $(".status", form);
    // The browser's own way back leads to this screen, not to the present one.
    history.replaceState(null, "", `/study?at=${$("[name=task]", form).value}`);
    const name = problems.map((one) => $("[name=task]", one).value).join("-");

    // Time goes to the problem in which something was chosen or written last.
    const times = problems.map((one) => $("[name^=seconds]", one));
    const spent = times.map((one) => 1000 * (parseFloat(one.value) || 0));
    let counted = 0, current = 0;
    const count = () => {
      spent[current] += visible() - counted;
      counted = visible();
      times.forEach((one, at) => { one.value = (spent[at] / 1000).toFixed(2); });
    };
    const values = () => new URLSearchParams(new FormData(form)).toString();
    form.addEventListener("input", (event) => {
      current = Math.max(0, problems.indexOf(event.target.closest(".problem")));
      count();
      kept.set(draft + name, values());
    });

    // What was chosen on this page before it was left or reloaded.
    if (!$(":checked", form)) for (const [field, value] of new URLSearchParams(kept.get(draft + name) ?? "")) {
      for (const input of form.elements.namedItem(field)?.length ? form.elements.namedItem(field) : [form.elements.namedItem(field)]) {
        if (!input || input.type === "hidden") continue;
        if (/radio|checkbox/.test(input.type)) input.checked ||= input.value === value;
        else input.value = value;
      }
    }

    let wait = 1000, timer = null;
    const finish = () => { [unsent, draft].forEach((start) => kept.drop(start + name)); };
    const send = async () => {
      clearTimeout(timer);
      const body = kept.get(unsent + name) ?? values();
      try {
        const next = await post(body);
        finish();
        if (next) location.assign(next); else form.submit();
      } catch {
        kept.set(unsent + name, body);
        $("p", status).textContent = navigator.onLine ? form.dataset.waiting : form.dataset.unsent;
        status.hidden = false;
        wait = Math.min(2 * wait, 30000);
        timer = setTimeout(send, wait);
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (isBusy(form)) return;
      form.setAttribute("aria-busy", "true");
      count();
      send();
    });
    addEventListener("online", () => { if (isBusy(form)) send(); });
  }

  // Keys: 1, 2, … choose, 0 is “I can’t say”, A and U are flags, Enter goes on. They can be turned off.
  const setting = "winoglot-keys", toggle = $("[data-keys]");
  const show = () => {
    const off = kept.get(setting) === "off";
    root.classList.toggle("no-keys", off);
    if (toggle) toggle.textContent = off ? toggle.dataset.on : toggle.dataset.off;
  };
  toggle?.addEventListener("click", () => {
    if (kept.get(setting) === "off") kept.drop(setting); else kept.set(setting, "off");
    show();
  });
  show();
  addEventListener("keydown", (event) => {
    if (root.classList.contains("no-keys") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (event.target.closest("textarea, select, input[type=text]")) return;
    if (event.key === "Enter") {
      if (event.target.closest("a, button, summary")) return;
      const next = $("[data-enter]");
      if (!next && !form) return;
      event.preventDefault();
      if (next) next.click(); else form.requestSubmit();
    } else if (form && !isBusy(form)) {
      const all = $$(".problem", form);
      const here = event.target.closest(".problem") ?? all.find((one) => !$(".answers :checked", one)) ?? all.at(-1);
      const input = $(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`, here);
      if (!input) return;
      event.preventDefault();
      if (input.closest("details")) input.closest("details").open = true;
      input.focus({ preventScroll: true });
      input.click();
      const next = input.type === "radio" && all.length > 1 && all.find((one) => !$(".answers :checked", one));
      if (next) {
        $("input[type=radio]", next).focus({ preventScroll: true });
        next.scrollIntoView({ block: "center" });
      }
    }
  });
})();
