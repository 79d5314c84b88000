/* global EventSource, URLSearchParams, document, fetch, location, performance, setInterval */

// Keeps the page current: requests and games come and go without a reload. Without this file the page still works.
(() => {
  const home = document.getElementById('home');
  if (home === null) return;
  const csrf = home.dataset.csrf;
  const status = document.getElementById('status');

  const say = (text) => {
    status.textContent = text;
  };

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const post = async (path, done) => {
    say('');
    try {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf }),
      });
      if (answer.ok) return say(done);
      if (answer.status === 401) return location.reload();
      say((await answer.json()).error_description);
    } catch {
      say('No connection. Please try again.');
    }
  };

  const button = (label, name, className, press) => {
    const made = element('button', className, label);
    made.type = 'button';
    made.setAttribute('aria-label', `${label} ${name}`);
    made.addEventListener('click', () => {
      made.disabled = true;
      void press().finally(() => {
        made.disabled = false;
      });
    });
    return made;
  };

  const requestItem = ({ id, game, code, secondsLeft }) => {
    const item = element('li', 'card request');
    item.dataset.id = id;
    const shown = element('p', 'code', code);
    shown.setAttribute('aria-label', `Code ${[...code].join(' ')}`);
    const left = element('span', 'left');
    left.dataset.left = secondsLeft;
    const time = element('p', 'soft');
    time.append(left);
    const actions = element('div', 'actions');
    actions.append(
      button('Deny', `${game} ${code}`, 'quiet wide', () => post(`/app/requests/${id}/deny`, `Denied: ${game}.`)),
      button('Confirm', `${game} ${code}`, 'primary wide', () =>
        post(`/app/requests/${id}/confirm`, `Confirmed: ${game} is connecting.`),
      ),
    );
    item.append(
      element('p', 'game', game),
      element('p', 'soft', 'wants to connect to your account. Does the game show this code?'),
      shown,
      time,
      actions,
    );
    return item;
  };

  const gameItem = ({ id, name }) => {
    const item = element('li', 'card row');
    item.dataset.id = id;
    item.append(
      element('span', 'game', name),
      button('Disconnect', name, 'quiet', () => post(`/app/games/${id}/disconnect`, `Disconnected: ${name}.`)),
    );
    return item;
  };

  // Items that stay keep their element, so that a button under a finger or with the focus is not pulled away.
  const update = (listId, emptyId, items, make) => {
    const list = document.getElementById(listId);
    const kept = new Map([...list.children].map((item) => [item.dataset.id, item]));
    list.replaceChildren(...items.map((item) => kept.get(item.id) ?? make(item)));
    document.getElementById(emptyId).hidden = items.length > 0;
  };

  // What the server rendered posts whole pages; from here on the same forms answer in place.
  for (const form of document.querySelectorAll('#home form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void post(new URL(form.action).pathname, form.dataset.done);
    });
  }

  const deadlines = new WeakMap();
  const tick = () => {
    for (const left of document.querySelectorAll('.left')) {
      if (!deadlines.has(left)) deadlines.set(left, performance.now() + Number(left.dataset.left) * 1000);
      const seconds = Math.max(0, Math.round((deadlines.get(left) - performance.now()) / 1000));
      left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
    }
  };
  setInterval(tick, 1000);
  tick();

  const events = new EventSource('/app/events');
  events.addEventListener('home', (event) => {
    const { requests, games } = JSON.parse(event.data);
    update('requests', 'no-requests', requests, requestItem);
    update('games', 'no-games', games, gameItem);
    document.title = `${requests.length > 0 ? `(${requests.length}) ` : ''}Your games · InView Accounts`;
    tick();
  });
  events.addEventListener('signed-out', () => {
    events.close();
    location.reload();
  });
})();
