(() => {
  const $ = (s, e = document) => e.querySelector(s), $$ = (s, e = document) => [...e.querySelectorAll(s)];
  document.documentElement.classList.add('has-js');

  // Contents: open at the side, folded on narrow screens; mark the current section.
  const toc = $('nav details'), wide = matchMedia('(min-width: 1100px)');
  const setToc = () => { toc.open = wide.matches; };
  setToc(); wide.addEventListener('change', setToc);
  toc.addEventListener('click', e => { if (e.target.closest('a') && !wide.matches) toc.open = false; });
  const links = $$('nav ol a'), heads = links.map(a => $(a.hash));
  const here = () => {
    let k = 0; heads.forEach((h, i) => { if (h.getBoundingClientRect().top < innerHeight * .3) k = i; });
    links.forEach((a, i) => i === k ? a.setAttribute('aria-current', 'true') : a.removeAttribute('aria-current'));
    $('nav summary b').textContent = links[k].textContent;
  };
  addEventListener('scroll', here, { passive: true }); here();
  addEventListener('beforeprint', () => $$('details').forEach(d => { d.open = true; }));

  // Leaderboard: sort within people, models and baselines; a solver's name is shown once.
  $$('[data-sort]').forEach(board => $$('thead button', board).forEach(btn => btn.addEventListener('click', () => {
    const th = btn.closest('th'), col = th.cellIndex, down = th.getAttribute('aria-sort') !== 'descending';
    $$('thead th', board).forEach(t => t.removeAttribute('aria-sort'));
    th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const val = r => r.cells[col].dataset.v === undefined ? (col ? -Infinity : r.cells[col].textContent) : +r.cells[col].dataset.v;
    $$('tbody', board).forEach(b => {
      $$('tr', b).sort((x, y) => (val(x) < val(y) ? 1 : -1) * (down ? 1 : -1)).forEach(r => b.append(r));
      let last = ''; $$('tr', b).filter(r => r.offsetParent).forEach(r => { const n = text(r.cells[0]); r.classList.toggle('same', n === last); last = n; });
    });
  })));

  // CSV and LaTeX are read from the visible rows of the table itself: value, low, high, n.
  const text = c => { const e = $('.nm, button', c) || c; return e.className === 'nm' && e.title || e.textContent.trim(); };  // a long name is whole in its title
  const head = h => ($('button', h) || h.firstChild || h).textContent.trim();
  const lines = fig => {
    const mx = $$('.mx:not(.transfer)', fig);
    if (mx.length) return [['collection', 'row', 'column', 'difference', 'low', 'high'], ...mx.flatMap(t => $$('td[data-lo]', t).map(c => [$('h3', t.parentNode).textContent, c.parentNode.cells[0].title, t.tBodies[0].rows[c.cellIndex - 1].cells[0].title, c.dataset.v, c.dataset.lo, c.dataset.hi]))];
    const out = [];
    $$('table', fig).forEach(t => {
      const hs = $$('thead th', t), isWide = hs.map((_, i) => !!$(`tbody td[data-lo]:nth-child(${i + 1})`, t)), grouped = $('.grp', t); let g = '';
      out.push([...grouped ? ['group'] : [], ...hs.flatMap((h, i) => isWide[i] ? ['', ' low', ' high', ' n'].map(s => head(h) + s) : [head(h)])]);
      $$('tbody tr', t).filter(r => r.offsetParent || !t.offsetParent).forEach(r => r.classList.contains('grp') ? g = text(r.cells[0]) : out.push([...grouped ? [g] : [], ...[...r.cells].flatMap((c, i) => c.dataset.lo !== undefined ? [c.dataset.v, c.dataset.lo, c.dataset.hi, c.dataset.n] : isWide[i] ? [c.textContent, '', '', ''] : [text(c)])]));
    });
    return out;
  };
  // As `guarded` in files.py: an apostrophe before what a spreadsheet would take for the beginning of a formula.
  const guarded = x => /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?%?$/i.test(x) ? x : x.replace(/(^|(?<![\s",;])[\s",;]+)('*)(?=[=+\-@＝＋－＠])/g, (all, run, _, at) => at && !/[,;\t\r\n]/.test(run) ? all : all + "'");
  const csv = fig => lines(fig).map(r => r.map(guarded).map(x => /[",\r\n]/.test(x) ? '"' + x.replace(/"/g, '""') + '"' : x).join(',')).join('\n') + '\n';
  const tex = fig => {
    const [h, ...rows] = lines(fig), esc = x => x.replace(/[\\{}]/g, '').replace(/[%&_#$]/g, '\\$&').replace(/[~^]/g, '').replace(/[−-](?=\d)/g, '$-$'), skip = h.map(x => / (low|high|n)$/.test(x));
    const row = r => r.map((x, i) => skip[i] ? null : skip[i + 1] && r[i + 1] ? `${esc(x)} {\\scriptsize [${esc(r[i + 1])}, ${esc(r[i + 2])}]}` : esc(x)).filter(x => x !== null).join(' & ') + ' \\\\';
    return `\\begin{tabular}{l${'r'.repeat(skip.filter(x => !x).length - 1)}}\n\\toprule\n${h.filter((_, i) => !skip[i]).map(esc).join(' & ')} \\\\\n\\midrule\n${rows.map(row).join('\n')}\n\\bottomrule\n\\end{tabular}\n`;
  };
  $$('[data-x]').forEach(b => {
    const fig = b.closest('figure'), kind = b.dataset.x;
    b.title = `Download the visible rows as ${kind === 'csv' ? 'CSV' : 'LaTeX (booktabs)'}`;
    b.addEventListener('click', () => {
      const a = document.createElement('a');
      a.href = URL.createObjectURL(new Blob([kind === 'csv' ? csv(fig) : tex(fig)], { type: 'text/plain' }));
      a.download = `${fig.id.replace('-figure', '')}.${kind}`; a.click(); setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    });
  });
  $$('[data-copy]').forEach(b => b.addEventListener('click', async () => {
    await navigator.clipboard.writeText($('pre', b.parentNode).textContent);
    b.textContent = 'Copied'; setTimeout(() => { b.textContent = 'Copy'; }, 1500);
  }));

  // Items: one column per item, one cell per solver. The items of a schema stand side by side.
  const unpack = async s => new Response(new Blob([Uint8Array.from(atob(s.trim()), c => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
  const source = window.WINOGLOT_ITEMS || ($('#data') || {}).textContent;
  if (!$('#browser')) return;
  if (!source) { $('#items > p:last-of-type').append(' They could not be loaded.'); return; }
  unpack(source).then(items);

  function items(D) {
    const MOST = 600, LETTERS = 'ABCDEFGH', WORD = { y: 'right', '': 'wrong', n: 'abstained', u: 'no known answer', x: 'not asked' };
    const el = (tag, cls, ...kids) => { const e = document.createElement(tag); if (cls) e.className = cls; e.append(...kids); return e; };
    const map = $('#map'), card = $('#item'), narrow = matchMedia('(max-width: 880px)');
    const ids = { column: $('#i-column'), kind: $('#i-kind'), tag: $('#i-tag'), outcome: $('#i-outcome'), order: $('#i-order'), search: $('#i-search') };
    const inColumn = D.columns.map(() => []), byAddress = new Map(), parallel = new Map();
    D.items.forEach(t => {
      t.at = inColumn[t.c].length; inColumn[t.c].push(t);
      byAddress.set(`${D.columns[t.c].key}/${t.i}`, t); parallel.set(`${t.c}/${t.k}/${t.p || t.i}`, t);
      t.words = (t.i + ' ' + t.t.filter(x => typeof x === 'string').join('') + ' ' + t.n.join(' ')).toLowerCase();
    });
    const state = (t, r) => { const o = r.o[t.at]; return o === -2 ? 'x' : t.a === null ? 'u' : o === -1 ? 'n' : o === t.a ? 'y' : ''; };
    const runsOf = c => D.runs.filter(r => r.c === c);
    const fill = (s, list) => s.replaceChildren(...list.map(([v, t]) => new Option(t, v)));
    fill(ids.column, D.columns.map((c, i) => [i, c.label]));
    ids.column.parentNode.hidden = D.columns.length < 2; $('#i-by').hidden = D.columns.length < 2;
    let limit = MOST, shown = [], pick = null, by = 'solver';
    const column = () => +ids.column.value;
    function options() {
      const own = inColumn[column()], kinds = [...new Set(own.map(t => t.k))], tags = [...new Set(own.flatMap(t => t.s))];
      const keep = (s, list) => { const v = s.value; fill(s, list); if (list.some(([x]) => String(x) === v)) s.value = v; };
      keep(ids.kind, kinds.map(k => [k, k === 'original' ? 'originals' : k])); ids.kind.parentNode.hidden = kinds.length < 2;
      keep(ids.tag, [['', 'all'], ...tags.map(t => [t, D.tags[t]]).sort((a, b) => a[1] < b[1] ? -1 : 1)]); ids.tag.parentNode.hidden = !tags.length;
      const first = D.solvers[(runsOf(column())[0] || {}).s];
      keep(ids.outcome, [['', 'all items'], ...runsOf(column()).flatMap(r => [[`w${r.s}`, `wrong: ${D.solvers[r.s].label}`], [`y${r.s}`, `right: ${D.solvers[r.s].label}`]])]);
      return first;
    }
    const rowsOf = () => by === 'solver' ? runsOf(column()).map(r => ({ name: D.solvers[r.s].label, role: D.solvers[r.s].role, at: t => state(t, r) }))
      : D.columns.map((c, i) => { const s = (runsOf(column()).find(r => D.solvers[r.s].role === 'model') || runsOf(column())[0]).s, r = D.runs.find(x => x.c === i && x.s === s); return { name: c.label, role: 'model', at: t => { const o = i === t.c ? t : parallel.get(`${i}/${t.k}/${t.p || t.i}`); return o && r ? state(o, r) : 'x'; } }; });
    function draw() {
      const rows = rowsOf(), words = ids.search.value.trim().toLowerCase(), tag = ids.tag.value, want = ids.outcome.value;
      const run = want && runsOf(column()).find(r => r.s === +want.slice(1));
      let list = inColumn[column()].filter(t => t.k === ids.kind.value && (!tag || t.s.includes(+tag)) && (!words || t.words.includes(words)) && (!run || state(t, run) === (want[0] === 'y' ? 'y' : '')));
      const groups = new Map(); list.forEach(t => groups.has(t.g) ? groups.get(t.g).push(t) : groups.set(t.g, [t]));
      let order = [...groups.values()];
      const share = g => g.reduce((a, t) => a + rows.reduce((b, r) => b + (r.at(t) === 'y'), 0), 0) / (g.length * rows.length);
      const sorts = { hard: (a, b) => share(a) - share(b), easy: (a, b) => share(b) - share(a), split: (a, b) => Math.abs(share(a) - .5) - Math.abs(share(b) - .5), name: (a, b) => a[0].i < b[0].i ? -1 : 1 };
      if (sorts[ids.order.value]) order.sort(sorts[ids.order.value]);
      shown = order.flat();
      const ends = new Set(order.map(g => g.at(-1)));
      const visible = shown.slice(0, limit), label = narrow.matches ? 92 : 190, w = map.clientWidth - label - 2, cw = 14;
      map.style.setProperty('--cw', cw + 'px'); map.style.setProperty('--rw', label + 'px');
      const bands = [[]]; let x = 0;
      visible.forEach(t => { const own = cw + (ends.has(t) ? 4 : 0); if (x + own > w) { bands.push([]); x = 0; } bands.at(-1).push(t); x += own; });
      if (!shown.includes(pick)) pick = shown[0] || null;
      map.replaceChildren(...bands.map(band => el('div', 'band',
        Object.assign(el('div', 'rows', ...rows.map(r => Object.assign(el('span', r.role === 'model' ? 'm' : '', r.name), { title: r.name }))), { ariaHidden: 'true' }),
        el('div', 'cells', ...band.map(t => {
          const b = el('button', 'it' + (ends.has(t) ? ' end' : ''), ...rows.map(r => el('i', r.at(t))));
          b.type = 'button'; b.title = t.i; b.tabIndex = t === pick ? 0 : -1; b.setAttribute('aria-pressed', t === pick); b.item = t;
          b.setAttribute('aria-label', `${t.i}: ${rows.map(r => `${r.name} ${WORD[r.at(t)]}`).join(', ')}`);
          return b;
        })))));
      const more = $('#more'); more.hidden = visible.length === shown.length;
      $('#count').textContent = `${shown.length.toLocaleString('en')} item${shown.length === 1 ? '' : 's'}${more.hidden ? '' : `, the first ${limit} shown`}${rows[0] && shown.length && by === 'solver' ? `. ${rows[0].name}: ${shown.filter(t => rows[0].at(t) === 'y').length} right` : ''}`;
      show();
    }
    const marked = t => {
      const p = el('p', 'sent'), c = D.columns[t.c]; p.lang = c.lang; p.dir = 'auto';
      for (let k = 0; k < t.t.length; k += 2) {
        const [s, bits] = [t.t[k], t.t[k + 1]]; let e = document.createTextNode(s);
        for (let j = 0; j < t.n.length; j++) if (bits & (4 << j)) { e = el('span', `cd c${j % 4}`, e); e.dataset.c = LETTERS[j]; }
        if (bits & 2) e = el('span', 'sg', e);
        if (bits & 1) e = s ? el('b', 'pr', e) : el('b', 'pr');
        p.append(e);
      }
      return p;
    };
    const plain = t => t.t.filter((_, i) => i % 2 === 0).join('');
    function reading(t, [before, inserted, after]) {
      let at = 0, k = 0; while (k < t.t.length && !(t.t[k + 1] & 1)) { at += t.t[k].length; k += 2; }
      let len = 0; while (k < t.t.length && t.t[k + 1] & 1) { len += t.t[k].length; k += 2; }
      const whole = plain(t), b = before === 0 ? whole.slice(0, at) : before, a = after === 0 ? whole.slice(at + len) : after;
      const most = /[\u3040-\u9fff]/.test(b) ? 20 : 44, cut = b.length > most ? '…' + b.slice(-most).replace(/^\S*\s/, '') : b;
      return [cut, el('mark', '', inserted), a];
    }
    const score = v => v === null || v === undefined ? '–' : typeof v === 'string' ? v : v.toFixed(2).replace('-', '−');
    function show() {
      if (!pick) { card.replaceChildren('No item matches.'); return; }
      const t = pick, c = D.columns[t.c], runs = runsOf(t.c).filter(r => r.o[t.at] !== -2);
      const lang = (e) => { e.lang = c.lang; e.dir = 'auto'; return e; };
      const step = (d, s) => { const b = el('button', 'btn', s); b.type = 'button'; b.dataset.step = d; return b; };
      const title = el('h3', '', t.i), link = el('a', '', title); link.href = `#${c.key}/${t.i}`; link.title = 'Link to this item';
      const others = D.columns.map((_, i) => i).filter(i => i !== t.c && parallel.has(`${i}/${t.k}/${t.p || t.i}`));
      const jump = others.length ? [el('span', 'soft', 'also in '), ...others.map(i => { const b = el('button', 'btn', D.columns[i].label); b.type = 'button'; b.dataset.go = i; return b; })] : [];
      const parts = [el('div', 'bar', link, el('span', 'tools', ...jump, step(-1, '← Previous'), step(1, 'Next →')))];
      if (t.t.length) parts.push(marked(t));
      const answer = t.a === null ? el('p', 'soft small', 'There is no known answer.') : el('p', 'soft small', 'Answer: ', lang(el('b', `cd c${t.a % 4}`, t.n[t.a])), '. ');
      if (t.a !== null) $('b', answer).dataset.c = LETTERS[t.a];
      if (t.q) answer.append(lang(el('span', '', t.q)), ' ');
      if (t.w) answer.append(lang(el('span', '', t.w)));
      parts.push(answer);
      const table = el('table', 'rd'), name = i => { const e = lang(el('span', `cd c${i % 4}`, t.n[i])); e.dataset.c = LETTERS[i]; return e; };
      const scored = runs.some(r => r.v && D.solvers[r.s].role === 'model');
      const sets = (t.r && t.r.length ? t.r : [['', t.n.map(() => null)]]);
      sets.forEach(([style, rs]) => {
        const own = runs.filter(r => r.v && r.v[t.at] && (D.solvers[r.s].role === 'model' || !scored) && (!style || style.includes(r.style) || sets.length === 1));
        const body = el('tbody'), first = el('th', '', style ? `${style[0].toUpperCase()}${style.slice(1)} readings` : 'Options'); first.colSpan = style ? 2 : 1; first.scope = 'col';
        body.append(el('tr', '', first, ...own.map(r => { const h = el('th', 'r', D.solvers[r.s].label.replace(/(^|, )(grammatical|naive)$/, '')); h.scope = 'col'; return h; })));
        t.n.forEach((_, i) => {
          const cells = own.map(r => { const d = el('td', 'r' + (r.o[t.at] === i ? ' win' : ''), score(r.v[t.at][i])); d.dataset.k = D.solvers[r.s].label.replace(/(^|, )(grammatical|naive)$/, ''); return d; });
          const rd = rs[i];
          body.append(el('tr', '', el('td', '', name(i)), ...style ? [lang(el('td', 'tx', ...rd ? reading(t, rd) : [], ...rd && rd[3] ? [el('span', 'soft', ` (not derived: ${rd[3]})`)] : []))] : [], ...cells));
        });
        table.append(body);
      });
      const scroll = el('div', 'scroll', table); scroll.tabIndex = 0; scroll.setAttribute('role', 'region'); scroll.setAttribute('aria-label', 'Readings and scores'); parts.push(scroll);
      const said = el('p', 'soft small');
      runs.forEach((r, i) => {
        const s = state(t, r), note = r.m[t.at];
        said.append(i ? '; ' : '', `${D.solvers[r.s].label}: `, el('span', s === 'y' ? 'ok' : s === '' ? 'no' : '', s === 'n' ? 'abstained' : `${LETTERS[r.o[t.at]]}${s === 'u' ? '' : ', ' + WORD[s]}`), note === undefined ? '' : ` (${D.notes[note]})`);
      });
      parts.push(said);
      card.replaceChildren(...parts);
    }
    const choose = (t, focus) => { if (!t) return; pick = t; if (shown.indexOf(t) >= limit) limit = shown.indexOf(t) + MOST; draw(); if (focus) $$('.it', map).find(b => b.item === t)?.focus({ preventScroll: true }); };
    map.addEventListener('click', e => { const b = e.target.closest('.it'); if (b) choose(b.item, true); });
    map.addEventListener('keydown', e => { const d = { ArrowRight: 1, ArrowLeft: -1 }[e.key], at = shown.indexOf(pick); if (d && shown[at + d]) { e.preventDefault(); choose(shown[at + d], true); } });
    const go = i => { const t = parallel.get(`${i}/${pick.k}/${pick.p || pick.i}`); ids.column.value = i; options(); ids.kind.value = t.k; ids.search.value = ids.tag.value = ids.outcome.value = ''; draw(); choose(t); };
    card.addEventListener('click', e => {
      const b = e.target.closest('[data-step], [data-go]'); if (!b) return;
      if (b.dataset.go) { go(+b.dataset.go); card.focus(); return; }
      choose(shown[(shown.indexOf(pick) + +b.dataset.step + shown.length) % shown.length]); $(`[data-step="${b.dataset.step}"]`, card).focus();
    });
    $('#more').addEventListener('click', () => { limit += MOST; draw(); });
    $$('[name=by]').forEach(i => i.addEventListener('change', () => { by = i.value; draw(); }));
    Object.entries(ids).forEach(([k, e]) => e.addEventListener(k === 'search' ? 'input' : 'change', () => { limit = MOST; if (k === 'column') options(); draw(); }));
    const address = () => {
      let t; try { t = byAddress.get(decodeURIComponent(location.hash.slice(1))); } catch { return; } if (!t) return;  // a malformed address is none
      ids.column.value = t.c; options(); ids.kind.value = t.k; ids.search.value = ids.tag.value = ids.outcome.value = ''; draw(); choose(t); card.scrollIntoView({ block: 'center' });
    };
    addEventListener('hashchange', address);
    let wait; addEventListener('resize', () => { clearTimeout(wait); wait = setTimeout(draw, 120); });
    $('#browser').hidden = false; options(); draw(); address();
  }
})();
