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

  // Leaderboard: sort within its groups, by a click on a heading or, on a phone, by a choice.
  const sort = (board, col, down) => {
    $$('thead th', board).forEach(t => t.removeAttribute('aria-sort'));
    const th = $$('thead th', board)[col]; if (!th) return;
    th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const val = r => { const c = r.cells[col]; return c.dataset.v === undefined ? (col ? -Infinity : text(c).toLowerCase()) : +c.dataset.v; };
    $$('tbody', board).forEach(b => $$('tr:not(.grp)', b).sort((x, y) => (val(x) < val(y) ? 1 : val(x) > val(y) ? -1 : 0) * (down ? 1 : -1)).forEach(r => b.append(r)));
  };
  $$('[data-sort]').forEach(board => {
    $$('thead button', board).forEach(btn => btn.addEventListener('click', () => {
      const th = btn.closest('th'); sort(board, th.cellIndex, th.getAttribute('aria-sort') !== 'descending');
    }));
    const heads = $$('thead th', board).filter(th => $('button', th)), choice = $('.sort select', board.closest('figure'));
    if (choice) choice.addEventListener('change', () => sort(board, heads[+choice.value].cellIndex, +choice.value > 0));
  });

  // A number's interval, n and test, when it is pointed at.
  addEventListener('pointerover', e => {
    const c = e.target.closest && e.target.closest('[data-lo]'); if (!c || c.title) return;
    const d = c.dataset, minus = x => x.replace('-', '−');
    c.title = `${d.l ? d.l + ': ' : ''}${minus(d.v)}, 95% interval ${minus(d.lo)} to ${minus(d.hi)}, n = ${(+d.n).toLocaleString('en')}${d.p ? ', corrected ' + d.p : ''}${d.a ? `, ${d.a.replace(';', ' abstained;')}${d.a.includes(';') ? '' : ' abstained'}` : ''}${d.m ? (d.m[0] === ',' ? '' : '; ') + d.m : ''}`;
  });

  // CSV and LaTeX are read from the visible rows of each table of a figure: value, low, high, n.
  const text = c => { const e = $('.nm, button', c) || c; return e.className === 'nm' && e.title || e.textContent.trim(); };  // a long name is whole in its title
  const head = h => ($('button', h) || h.firstChild || h).textContent.trim();
  const tables = fig => $$('table', fig).map(t => {
    const hs = $$('thead th', t), isWide = hs.map((_, i) => !!$(`tbody td[data-lo]:nth-child(${i + 1})`, t)), grouped = $('.grp', t); let g = '';
    const out = [[...grouped ? ['group'] : [], ...hs.flatMap((h, i) => isWide[i] ? ['', ' low', ' high', ' n'].map(s => head(h) + s) : [head(h)])]];
    $$('tbody tr', t).filter(r => r.offsetParent || !t.offsetParent).forEach(r => r.classList.contains('grp') ? g = head(r.cells[0]) : out.push([...grouped ? [g] : [], ...[...r.cells].flatMap((c, i) => c.dataset.lo !== undefined ? [c.dataset.v, c.dataset.lo, c.dataset.hi, c.dataset.n] : isWide[i] ? [c.textContent, '', '', ''] : [text(c)])]));
    return out;
  });
  // As `guarded` in files.py: an apostrophe before what a spreadsheet would take for the beginning of a formula.
  const guarded = x => /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?%?$/i.test(x) ? x : x.replace(/(^|(?<![\s",;])[\s",;]+)('*)(?=[=+\-@＝＋－＠])/g, (all, run, _, at) => at && !/[,;\t\r\n]/.test(run) ? all : all + "'");
  const csv = rows => rows.map(r => r.map(guarded).map(x => /[",\r\n]/.test(x) ? '"' + x.replace(/"/g, '""') + '"' : x).join(',')).join('\n') + '\n';
  const LATEX = {{ latex_characters | tojson }}, esc = x => x.replace(/(^|[\s[(])-(?=\d)/g, '$1−').replace(/./gu, c => LATEX[c] ?? c);
  const tex = ([h, ...rows]) => {
    const skip = h.map(x => / (low|high|n)$/.test(x)), kept = h.map((_, i) => i).filter(i => !skip[i]);
    const row = r => kept.map(i => skip[i + 1] && r[i + 1] ? `${esc(r[i])} {\\scriptsize [${esc(r[i + 1])}, ${esc(r[i + 2])}]}` : esc(r[i])).join(' & ') + ' \\\\';
    return `\\begin{tabular}{${kept.map(i => skip[i + 1] || rows.every(r => /^[<+−-]? ?[\d.,]*$/.test(r[i])) ? 'r' : 'l').join('')}}\n\\toprule\n${kept.map(i => esc(h[i])).join(' & ')} \\\\\n\\midrule\n${rows.map(row).join('\n')}\n\\bottomrule\n\\end{tabular}\n`;
  };
  $$('[data-x]').forEach(b => {
    const fig = b.closest('figure'), kind = b.dataset.x;
    b.title = `Download the visible rows as ${kind === 'csv' ? 'CSV' : 'LaTeX (booktabs)'}`;
    b.addEventListener('click', () => {
      const a = document.createElement('a');
      a.href = URL.createObjectURL(new Blob([tables(fig).map(kind === 'csv' ? csv : tex).join('\n')], { type: 'text/plain' }));
      a.download = `${fig.id.replace('-figure', '')}.${kind}`; a.click(); setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    });
  });
  $$('[data-copy]').forEach(b => b.addEventListener('click', async () => {
    await navigator.clipboard.writeText($('pre', b.parentNode).textContent);
    b.textContent = 'Copied'; setTimeout(() => { b.textContent = 'Copy'; }, 1500);
  }));

  // Items: a row per schema with a square for each of its items, a column per solver; the panel shows one schema.
  const unpack = async s => new Response(new Blob([Uint8Array.from(atob(s.trim()), c => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
  const source = ($('#data') || {}).textContent;
  if (!$('#browser') || !source) return;
  unpack(source).then(items);

  function items(D) {
    const STEP = 60, WORD = { y: 'right', '': 'wrong', n: 'abstained', u: 'no known answer', x: 'not asked' }, SIGN = { y: '✓', '': '✗' };
    const el = (tag, cls, ...kids) => { const e = document.createElement(tag); if (cls) e.className = cls; e.append(...kids); return e; };
    const map = $('#map'), card = $('#item'), frame = $('.hm'), narrow = matchMedia('(max-width: 1099px)');
    const ids = { column: $('#i-column'), by: $('#i-by'), kind: $('#i-kind'), tag: $('#i-tag'), right: $('#i-right'), wrong: $('#i-wrong'), order: $('#i-order'), search: $('#i-search') };
    const inColumn = D.columns.map(() => []), byAddress = new Map(), parallel = new Map();
    D.items.forEach(t => {
      t.t ??= []; t.n ??= [];
      t.at = inColumn[t.c].length; inColumn[t.c].push(t);
      byAddress.set(`${D.columns[t.c].key}/${t.i}`, t); parallel.set(`${t.c}/${t.k}/${t.p || t.i}`, t);
      t.words = (t.i + ' ' + t.t.filter(x => typeof x === 'string').join('') + ' ' + t.n.join(' ')).toLowerCase();
    });
    const state = (t, r) => { const o = r.o[t.at]; return o === -2 ? 'x' : t.a === null ? 'u' : o === -1 ? 'n' : o === t.a ? 'y' : ''; };
    const runsOf = c => D.runs.filter(r => r.c === c).sort((x, y) => x.s - y.s), label = r => D.solvers[r.s].label;
    const fill = (s, list) => s.replaceChildren(...list.map(([v, t]) => new Option(t, v)));
    const keep = (s, list) => { const v = s.value; fill(s, list); if (list.some(([x]) => String(x) === v)) s.value = v; s.parentNode.hidden = list.length < 2; };
    const column = () => +ids.column.value;
    let limit = STEP, shown = [], pick = null;
    if (D.left) { frame.before(el('p', 'soft small', D.left)); ids.search.placeholder = 'an id'; }
    keep(ids.column, D.columns.map((c, i) => [i, c.label]));
    function options() {
      const own = inColumn[column()], runs = runsOf(column()), kinds = [...new Set(own.map(t => t.k))], tags = [...new Set(own.flatMap(t => t.s))];
      keep(ids.kind, kinds.map(k => [k, k === 'original' ? 'originals' : k]));
      keep(ids.tag, [['', 'all'], ...tags.map(t => [t, D.tags[t]]).sort((a, b) => a[1] < b[1] ? -1 : 1)]);
      keep(ids.by, [['', 'solvers'], ...D.columns.length > 1 ? runs.map(r => [r.s, `collections: ${label(r)}`]) : []]);
      for (const s of [ids.right, ids.wrong]) { keep(s, [['', 'choose …'], ...runs.map(r => [r.s, label(r)])]); s.parentNode.hidden = false; }
    }
    // What the columns of the map are: solvers, or one solver in all collections.
    const across = () => ids.by.value === '' ? runsOf(column()).map((r, i) => ({ name: label(r), head: i + 1, role: D.solvers[r.s].role, at: t => state(t, r) }))
      : D.columns.map((c, i) => { const r = D.runs.find(x => x.c === i && x.s === +ids.by.value); return { name: c.label, head: c.lang.split('-')[0], role: 'model', at: t => { const o = i === t.c ? t : parallel.get(`${i}/${t.k}/${t.p || t.i}`); return o && r ? state(o, r) : 'x'; } }; });
    const blockOf = t => shown.find(b => b.includes(t));
    function draw() {
      const cols = across(), words = ids.search.value.trim().toLowerCase(), tag = ids.tag.value;
      const run = s => s.value === '' ? null : runsOf(column()).find(r => r.s === +s.value), good = run(ids.right), bad = run(ids.wrong);
      const fits = t => (!tag || t.s.includes(+tag)) && (!words || t.words.includes(words)) && (!good || state(t, good) === 'y') && (!bad || state(t, bad) === '');
      const own = inColumn[column()].filter(t => t.k === ids.kind.value), groups = new Map();
      own.forEach(t => groups.has(t.g) ? groups.get(t.g).push(t) : groups.set(t.g, [t]));
      const matching = new Set(own.filter(fits));
      shown = [...groups.values()].filter(g => g.some(t => matching.has(t)));
      shown = shown.flatMap(g => Array.from({ length: Math.ceil(g.length / 4) }, (_, k) => g.slice(4 * k, 4 * k + 4))).filter(g => g.some(t => matching.has(t)));
      const share = g => g.reduce((a, t) => a + cols.reduce((b, r) => b + (r.at(t) === 'y'), 0), 0) / (g.length * cols.length);
      const sorts = { hard: (a, b) => share(a) - share(b), easy: (a, b) => share(b) - share(a), split: (a, b) => Math.abs(share(a) - .5) - Math.abs(share(b) - .5), name: (a, b) => a[0].i < b[0].i ? -1 : 1 };
      if (sorts[ids.order.value]) shown.sort(sorts[ids.order.value]);
      if (!pick || !blockOf(pick)) pick = shown.length ? shown[0].find(t => matching.has(t)) : null;
      if (card.parentNode !== frame) frame.append(card);
      const most = Math.max(1, ...shown.map(g => g.length)), room = map.parentNode.clientWidth - (narrow.matches ? 112 : 148);
      const gap = cols.length > 20 ? 2 : 4;
      const cw = Math.max(3, Math.min(10, Math.floor((room / Math.max(1, cols.length) - gap) / most))), step = cw * most + gap;
      const side = $('.mapside'); side.style.setProperty('--cw', cw + 'px'); side.style.setProperty('--own', step + 'px'); side.style.setProperty('--gap', gap + 'px'); side.classList.toggle('wide', step * cols.length > room);
      $('#heads').replaceChildren(el('span', '', D.columns[column()].unit || 'schema'), ...cols.map((r, i) => el('span', r.role === 'model' ? 'm' : '', i % Math.ceil(20 / step) === 0 ? String(r.head) : '')));
      map.replaceChildren(...shown.slice(0, limit).map(g => {
        const b = el('button', 'hr', el('span', 'id', g.length > 1 || g[0].g === g[0].i ? g[0].g : g[0].i), ...cols.map(r => el('span', 'it', ...g.map(t => el('i', r.at(t))))));
        b.type = 'button'; b.tabIndex = g.includes(pick) ? 0 : -1; b.setAttribute('aria-pressed', g.includes(pick)); b.block = g;
        b.setAttribute('aria-label', `${g[0].g}: ${cols.slice(0, 6).map(r => `${r.name} ${g.map(t => WORD[r.at(t)]).join(', ')}`).join('; ')}`);
        return b;
      }));
      const more = $('#more'), n = matching.size; more.hidden = shown.length <= limit;
      $('#count').textContent = `${n.toLocaleString('en')} item${n === 1 ? '' : 's'}${more.hidden ? '' : `; the first ${limit} of ${shown.length.toLocaleString('en')} rows`}`;
      show();
    }
    const lang = (e, c) => { e.lang = c.lang; e.dir = 'auto'; return e; };
    const LETTER = j => j < 26 ? String.fromCharCode(65 + j) : String(j + 1), colour = j => `candidate-${['a', 'b'][j] ?? 'more'}`;
    const candidate = (j, ...text) => { const s = el('sup'); s.dataset.letter = LETTER(j); return el('span', colour(j), ...text, s); };
    const name = (t, j) => lang(candidate(j, t.n[j]), D.columns[t.c]);
    const letter = j => el('span', `letter ${colour(j)}`, LETTER(j));
    const marked = t => {
      const p = lang(el('p', 'sent'), D.columns[t.c]);
      for (let k = 0; k < t.t.length; k += 2) {
        const [s, bits] = [t.t[k], t.t[k + 1]]; let e = document.createTextNode(s);
        for (let j = 0; j < t.n.length; j++) if (bits & (4 << j)) e = candidate(j, e);
        if (bits & 2) e = el('span', 'segment', e);
        if (bits & 1) e = s ? el('span', 'pronoun', e) : el('span', 'pronoun');
        p.append(e);
      }
      return p;
    };
    const plain = t => t.t.filter((_, i) => i % 2 === 0).join('');
    function reading(t, j, [before, inserted, after]) {
      let at = 0, k = 0; while (k < t.t.length && !(t.t[k + 1] & 1)) { at += t.t[k].length; k += 2; }
      let len = 0; while (k < t.t.length && t.t[k + 1] & 1) { len += t.t[k].length; k += 2; }
      const whole = plain(t), b = before === 0 ? whole.slice(0, at) : before, a = after === 0 ? whole.slice(at + len) : after;
      const most = /[\u3040-\u9fff]/.test(b) ? 20 : 44, cut = b.length > most ? '…' + b.slice(-most).replace(/^\S*\s/, '') : b;
      return [cut, candidate(j, inserted), a];
    }
    const score = v => v === null || v === undefined ? '–' : typeof v === 'string' ? v : v.toFixed(Math.abs(v) < 100 ? 2 : 0).replace('-', '−');
    // One row per solver: its place, its name, and for each item of the schema what it chose and its scores.
    function table(g, runs) {
      const t = el('table', 'dt'), head = el('tr', '', el('td', 'i', '#'), el('th', '', 'Solver'), ...g.map((x, k) => el('th', 's', g.length > 1 ? `${k + 1}` : 'Choice')));
      $$('th', head).forEach(h => { h.scope = 'col'; });
      const scored = runs.some(r => r.v && D.solvers[r.s].role === 'model');
      t.append(el('thead', '', head), el('tbody', '', ...runs.map((r, i) => {
        const h = el('th', '', label(r)); h.scope = 'row';
        return el('tr', D.solvers[r.s].role === 'model' ? 'm' : '', el('td', 'i', String(i + 1)), h, ...g.map(x => {
          const s = state(x, r), o = r.o[x.at], v = r.v && (D.solvers[r.s].role === 'model' || !scored) && r.v[x.at], note = r.m[x.at];
          const d = el('td', 's', s === 'x' ? '–' : o === -1 ? el('span', 'soft', 'abstains') : letter(o), s in SIGN ? el('span', s === 'y' ? 'ok' : 'no', ` ${SIGN[s]}`, el('span', 'vh', WORD[s])) : '');
          if (v) d.append(el('span', 'sc', ...v.map((y, j) => el('span', j === o ? 'w' : '', score(y)))));
          if (note !== undefined) { d.title = D.notes[note]; d.append(el('span', 'soft', ' *')); }
          return d;
        }));
      })));
      return t;
    }
    function show() {
      if (!pick) { card.replaceChildren('No item matches.'); return; }
      const g = blockOf(pick), c = D.columns[pick.c], runs = runsOf(pick.c).filter(r => g.some(t => r.o[t.at] !== -2));
      const step = (d, s) => { const b = el('button', 'btn', s); b.type = 'button'; b.dataset.step = d; return b; };
      const title = el('h3', '', pick.i), link = el('a', '', title); link.href = `#${c.key}/${pick.i}`; link.title = 'Link to this item';
      const others = D.columns.map((_, i) => i).filter(i => i !== pick.c && parallel.has(`${i}/${pick.k}/${pick.p || pick.i}`));
      const jump = el('select', ''); fill(jump, [['', 'also in …'], ...others.map(i => [i, D.columns[i].label])]); jump.id = 'i-also'; jump.setAttribute('aria-label', 'The same item in another collection');
      jump.addEventListener('change', () => go(+jump.value));
      const parts = [el('div', 'bar', link, el('span', 'tools', ...others.length ? [jump] : [], step(-1, '← Previous'), step(1, 'Next →')))];
      g.forEach((t, k) => {
        const answer = el('p', 'answer', ...t.a === null ? ['There is no known answer'] : ['Answer: ', t.n.length ? name(t, t.a) : letter(t.a)]);
        if (t.q) answer.append('. ', lang(el('span', 'soft', t.q), c));
        parts.push(el('div', g.length > 1 ? 'twin' : '', ...g.length > 1 ? [el('b', '', `${k + 1}`)] : [], el('div', '', ...t.t.length ? [marked(t)] : [], answer)));
      });
      if (pick.w) parts.push(lang(el('p', 'soft small', pick.w), c));
      parts.push(table(g, runs));
      const told = [...new Set(runs.flatMap(r => g.map(t => r.m[t.at])).filter(x => x !== undefined))].map(x => D.notes[x]);
      const scored = runs.some(r => r.v);
      parts.push(el('p', 'soft small', `A letter is what was chosen${scored ? '; small numbers are the scores of ' + g[0].n.map((_, j) => LETTER(j)).join(' and ') + ', of which the higher one is chosen' : ''}.${told.length ? ` *: ${told.slice(0, 4).join('; ')}.` : ''}`));
      const sets = g.flatMap((t, k) => (t.r || []).map(([style, rs]) => [t, k, style, rs]));
      if (sets.length) {
        const list = el('dl', 'rds', ...sets.flatMap(([t, k, style, rs]) => [el('dt', '', `${g.length > 1 ? k + 1 + ', ' : ''}${style}`), ...rs.map((rd, j) => el('dd', '', lang(el('span', '', ...reading(t, j, rd)), c), ...rd[3] ? [el('span', 'soft', ` (${rd[3]})`)] : []))]));
        const fold = el('details', 'fold', el('summary', '', 'Readings ', el('span', '', '– what models were shown')), list); fold.open = show.open; fold.addEventListener('toggle', () => { show.open = fold.open; });
        parts.push(fold);
      }
      card.replaceChildren(...parts);
      // On a narrow page the panel opens below its row instead of beside the map.
      const row = $$('.hr', map).find(b => b.block === g);
      if (narrow.matches && row) row.after(card); else if (card.parentNode !== frame) frame.append(card);
    }
    const choose = (t, focus) => {
      if (!t) return; pick = t; const at = shown.findIndex(g => g.includes(t));
      if (at >= limit) { limit = at + STEP; draw(); } else { $$('.hr', map).forEach(b => { const on = b.block.includes(t); b.setAttribute('aria-pressed', on); b.tabIndex = on ? 0 : -1; }); show(); }
      if (focus) $$('.hr', map).find(b => b.block.includes(t))?.focus({ preventScroll: !narrow.matches });
    };
    const move = d => { const at = shown.indexOf(blockOf(pick)) + d; return shown[(at + shown.length) % shown.length][0]; };
    map.addEventListener('click', e => { const b = e.target.closest('.hr'); if (b) choose(b.block[0], true); });
    map.addEventListener('keydown', e => { const d = { ArrowDown: 1, ArrowUp: -1 }[e.key], b = e.target.closest('.hr'), at = b ? shown.indexOf(b.block) : -1; if (d && b && shown[at + d]) { e.preventDefault(); choose(shown[at + d][0], true); } });
    const reset = t => { ids.column.value = t.c; options(); ids.kind.value = t.k; ids.search.value = ids.tag.value = ids.right.value = ids.wrong.value = ''; pick = t; draw(); choose(t); };
    const go = i => { reset(parallel.get(`${i}/${pick.k}/${pick.p || pick.i}`)); card.focus({ preventScroll: true }); };
    card.addEventListener('click', e => { const b = e.target.closest('[data-step]'); if (b) { choose(move(+b.dataset.step)); $(`[data-step="${b.dataset.step}"]`, card).focus({ preventScroll: true }); } });
    $('#more').addEventListener('click', () => { limit += 3 * STEP; draw(); });
    Object.entries(ids).forEach(([k, e]) => e.addEventListener(k === 'search' ? 'input' : 'change', () => { limit = STEP; if (k === 'column') options(); draw(); }));
    const address = () => {
      let t; try { t = byAddress.get(decodeURIComponent(location.hash.slice(1))); } catch { return; } if (!t) return;  // a malformed address is none
      reset(t); card.scrollIntoView({ block: 'center' });
    };
    addEventListener('hashchange', address);
    let wait, width = innerWidth; addEventListener('resize', () => { if (innerWidth === width) return; width = innerWidth; clearTimeout(wait); wait = setTimeout(draw, 120); });
    $('#browser').hidden = false; options(); draw(); address();
  }
})();
