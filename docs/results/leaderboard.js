// The leaderboard: sort, show one language, hide baselines, compare two. Without it, everything is in plain tables.
document.addEventListener('DOMContentLoaded', () => {
  const board = document.querySelector('#board');
  if (!board) return;
  board.classList.add('has-js');
  const $ = (s, e = board) => e.querySelector(s), $$ = (s, e = board) => [...e.querySelectorAll(s)];
  const body = $('.lb tbody'), rows = $$('tr', body), heads = $$('.lb thead th');
  const names = $$('#shown option').map(o => o.textContent);

  const value = (row, at) => {
    const cell = row.cells[at], text = cell.textContent.trim();
    if (heads[at].dataset.sort === 'text') return text.toLowerCase();
    return heads[at].dataset.sort === 'rank' ? -(parseInt(text, 10) || 1e9) : cell.dataset.v === undefined ? -1 : +cell.dataset.v;
  };
  const sort = (at, down) => {
    heads.forEach(h => h.removeAttribute('aria-sort'));
    heads[at].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    rows.sort((a, b) => { const x = value(a, at), y = value(b, at); return (x < y ? 1 : x > y ? -1 : 0) * (down ? 1 : -1); });
    body.append(...rows);
  };
  heads.forEach((head, at) => {
    const button = document.createElement('button');
    button.type = 'button'; button.append(...head.childNodes); head.append(button);
    button.addEventListener('click', () => sort(at, head.getAttribute('aria-sort') !== 'descending' && head.dataset.sort !== 'text' || head.getAttribute('aria-sort') === 'ascending'));
  });

  const show = () => {
    const at = $('#shown').value;
    $$('.lb [data-c]').forEach(c => c.classList.toggle('on', c.dataset.c === at));
    sort(2 + +at, true);
  };
  $('#shown').addEventListener('change', show);
  $('#baselines').addEventListener('change', e => $$('.lb .b').forEach(r => { r.hidden = !e.target.checked; }));
  show();

  const compared = $('#compared'), write = (tag, cls, ...kids) => { const e = document.createElement(tag); if (cls) e.className = cls; e.append(...kids); return e; };
  const points = x => (x > 0 ? '+' : x < 0 ? '−' : '') + Math.abs(100 * x).toFixed(1);
  const compare = () => {
    const a = $('#one').value, b = $('#two').value, turned = +a > +b, pair = document.querySelector(`#pairs [data-pair="${turned ? `${b} ${a}` : `${a} ${b}`}"]`);
    compared.replaceChildren();
    if (!pair) { compared.append(write('p', '', 'Choose two different models.')); return; }
    const of = i => $(`#one option[value="${i}"]`).textContent, gaps = [...pair.cells].slice(2).map(c => c.dataset.v === undefined ? null : turned
      ? { v: -c.dataset.v, lo: -c.dataset.hi, hi: -c.dataset.lo, p: c.dataset.p } : { v: +c.dataset.v, lo: +c.dataset.lo, hi: +c.dataset.hi, p: c.dataset.p });
    const most = Math.max(...gaps.filter(Boolean).flatMap(g => [Math.abs(g.lo), Math.abs(g.hi)]), 0.01), x = v => `${50 + 50 * v / most}%`;
    compared.append(write('p', 'cap', `${of(a)} minus ${of(b)}, in points`));
    const table = write('table', 'fp'); table.setAttribute('aria-label', compared.textContent);
    gaps.forEach((g, i) => {
      const head = write('th', '', names[i]); head.scope = 'row';
      const row = write('tr', 'm', head); table.append(row);
      if (!g) { row.append(write('td', 'na', 'not both asked')); return; }
      const drawn = write('td', 'd');
      drawn.innerHTML = `<svg aria-hidden="true"><line class="z solid" x1="50%" x2="50%" y2="100%"/><line class="k" x1="${x(g.lo)}" x2="${x(g.hi)}" y1="50%" y2="50%"/><circle class="o" cx="${x(g.v)}" cy="50%" r="4"/></svg>`;
      row.append(write('td', 'v', points(g.v), write('small', '', ` ${points(g.lo)} to ${points(g.hi)}; ${g.p}`)), drawn);
    });
    compared.append(table);
  };
  ['#one', '#two'].forEach(s => $(s).addEventListener('change', compare));
});
