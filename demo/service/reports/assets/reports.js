/* global AbortSignal, DOMParser, FormData, URLSearchParams, document, fetch, history, location, setTimeout, window */

// Keeps the page current: asks for what is new, and shows it in place. Without this file the page still works.
(() => {
  const LOOK_AGAIN_MS = 1500;
  const live = document.getElementById('live');
  const pulse = document.getElementById('pulse');
  const filter = document.getElementById('filter');
  let tag = '';

  const showLocalTimes = () => {
    for (const time of live.querySelectorAll('time')) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString();
      time.title = time.dateTime;
    }
  };

  const look = async () => {
    try {
      const answer = await fetch(`/reports/live${location.search}`, {
        headers: tag === '' ? {} : { 'If-None-Match': tag },
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        live.replaceChildren(...page.body.childNodes);
        tag = answer.headers.get('ETag') ?? '';
        showLocalTimes();
      }
      pulse.className = answer.ok || answer.status === 304 ? 'pulse on' : 'pulse';
    } catch {
      pulse.className = 'pulse';
    }
    pulse.textContent = pulse.classList.contains('on') ? 'Live' : 'No connection';
  };

  const lookAndAgain = async () => {
    if (document.visibilityState === 'visible') await look();
    setTimeout(() => void lookAndAgain(), LOOK_AGAIN_MS);
  };

  const choose = (search) => {
    history.pushState(null, '', `/reports${search === '' ? '' : `?${search}`}`);
    showChoice();
  };

  const showChoice = () => {
    const chosen = new URLSearchParams(location.search);
    for (const select of filter.querySelectorAll('select')) {
      select.value = chosen.get(select.name) ?? '';
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    }
    tag = '';
    void look();
  };

  filter.addEventListener('change', () => {
    const chosen = [...new FormData(filter)].filter(([, value]) => value !== '');
    choose(new URLSearchParams(chosen).toString());
  });
  window.addEventListener('popstate', showChoice);
  document.addEventListener('visibilitychange', () => void look());

  showLocalTimes();
  void lookAndAgain();
})();
