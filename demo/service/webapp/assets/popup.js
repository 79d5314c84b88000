/* global URLSearchParams, clearTimeout, document, fetch, setTimeout, window */

// Takes the player's answer to the game that opened this window, and to nobody else.
(() => {
  const popup = document.getElementById('popup');
  if (popup === null) return;
  const { opener } = window;
  const status = document.getElementById('status');
  if (opener === null) {
    status.textContent = 'This window has lost its game. Close it and answer in the web app instead.';
    return;
  }

  const buttons = [...popup.querySelectorAll('button')];
  const enable = (enabled) => {
    for (const button of buttons) button.disabled = !enabled;
  };
  // A click that was meant for another window, such as the second of a double click as that one closes or moves away,
  // must not fall on an answer here: they wake only after this window has been in front for a moment.
  let isSending = false;
  let waking;
  const sleep = () => {
    clearTimeout(waking);
    enable(false);
  };
  const wakeSoon = () => {
    sleep();
    waking = setTimeout(() => enable(!isSending), 700);
  };
  window.addEventListener('blur', sleep);
  window.addEventListener('focus', wakeSoon);
  if (document.hasFocus()) wakeSoon();

  popup.addEventListener('submit', (event) => {
    event.preventDefault();
    isSending = true;
    enable(false);
    status.textContent = '';
    const fields = [...event.target.querySelectorAll('input')].map(({ name, value }) => [name, value]);
    fetch(event.target.action, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    })
      .then(async (answer) => {
        const body = await answer.json();
        if (!answer.ok) {
          status.textContent = body.error_description;
          return;
        }
        opener.postMessage(body.message, body.origin);
        window.close();
      })
      .catch(() => {
        status.textContent = 'No connection. Please try again.';
        isSending = false;
        enable(true);
      });
  });
})();
