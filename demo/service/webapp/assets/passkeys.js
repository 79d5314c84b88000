/* global FormData, SimpleWebAuthnBrowser, URLSearchParams, document, fetch, location */

// Makes and uses passkeys. Their forms stay hidden where there are none: on old browsers, and at addresses of numbers.
(() => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
  const hasName = !/^[\d.]+$|^\[/.test(location.hostname);
  if (!hasName || !browserSupportsWebAuthn()) return;

  /** What the service says in words for the player. */
  class Refusal extends Error {}

  const post = async (path, fields) => {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Refusal(body.error_description);
    return body;
  };

  const wordsOf = (error) => {
    if (error instanceof Refusal) return error.message;
    if (error.name === 'InvalidStateError') return 'This device has a passkey of yours already.';
    if (error.name === 'NotAllowedError') return 'No passkey was chosen. Please try again, or use your password.';
    return 'That did not work. Please try again, or use your password.';
  };

  for (const part of document.querySelectorAll('[data-passkey-part]')) part.hidden = false;
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const start = form.dataset.passkey === 'make' ? startRegistration : startAuthentication;
    const button = form.querySelector('button');
    const status = form.querySelector('.status');
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      button.disabled = true;
      status.textContent = '';
      const fields = new FormData(form);
      const path = new URL(form.action).pathname;
      post(`${path}/options`, fields)
        .then((optionsJSON) => start({ optionsJSON }))
        .then((answer) => post(path, { csrf: fields.get('csrf'), answer: JSON.stringify(answer) }))
        .then(() => location.assign(form.dataset.next))
        .catch((error) => {
          status.textContent = wordsOf(error);
          button.disabled = false;
        });
    });
  }
})();
