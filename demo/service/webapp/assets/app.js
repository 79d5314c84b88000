/* global EventSource, URLSearchParams, document, fetch, location, performance, setInterval */

// Keeps the page current: requests and games come and go without a reload. Without this file the page still works.
(() => {
  const home = document.getElementById('home');
  if (home === null) return;
  const status = document.getElementById('status');

  const say = (text) => {
    status.textContent = text;
  };

  const post = async (path, fields, done) => {
    say('');
    try {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: fields,
      });
      if (answer.ok) return say(done);
      if (answer.status === 401) return location.reload();
      say((await answer.json()).error_description);
    } catch {
      say('No connection. Please try again.');
    }
  };

  // The forms work by themselves; from here on they answer in place.
  home.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.done === undefined) return;
    event.preventDefault();
    const fields = new URLSearchParams([...form.querySelectorAll('input')].map(({ name, value }) => [name, value]));
    if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
    const buttons = [...(form.closest('li') ?? form).querySelectorAll('button')];
    for (const button of buttons) button.disabled = true;
    void post(new URL(form.action).pathname, fields, form.dataset.done).finally(() => {
      for (const button of buttons) button.disabled = false;
    });
  });

  const made = ({ html }) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    return template.content.firstElementChild;
  };

  // Items that stay keep their element, so that a button under a finger or with the focus is not pulled away.
  const update = (listId, emptyId, items) => {
    const list = document.getElementById(listId);
    const kept = new Map([...list.children].map((item) => [item.dataset.id, item]));
    list.replaceChildren(...items.map((item) => kept.get(item.id) ?? made(item)));
    document.getElementById(emptyId).hidden = items.length > 0;
  };

  const born = new WeakMap();
  /** Seconds since the script first saw an element; the clock of the device may be wrong, its pace is not. */
  const seen = (item) => {
    if (!born.has(item)) born.set(item, performance.now());
    return (performance.now() - born.get(item)) / 1000;
  };
  const tick = () => {
    for (const left of document.querySelectorAll('.left')) {
      const seconds = Math.max(0, Math.round(Number(left.dataset.left) - seen(left)));
      left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
    }
    for (const ago of document.querySelectorAll('.ago')) {
      const seconds = Math.round(Number(ago.dataset.ago) + seen(ago));
      ago.textContent = seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
    }
  };
  setInterval(tick, 1000);
  tick();

  const events = new EventSource('/app/events');
  events.addEventListener('home', (event) => {
    const { requests, games } = JSON.parse(event.data);
    update('requests', 'no-requests', requests);
    update('games', 'no-games', games);
    document.title = `${requests.length > 0 ? `(${requests.length}) ` : ''}Your games · InView Accounts`;
    tick();
  });
  events.addEventListener('signed-out', () => {
    events.close();
    location.reload();
  });
})();
