import { html } from 'hono/html';
import type { ApplicationLedger } from '../events/LedgerBooks.js';
import type { Html } from '../webapp/layout.js';

/** The equation of one application's events, and whether it holds. */
export function ledgerCard(ledger: ApplicationLedger): Html {
  const dropped = Object.entries(ledger.dropped).filter(([, count]) => count > 0);
  const gone = dropped.reduce((sum, [, count]) => sum + count, 0);
  const parts = [
    { name: 'accepted', count: ledger.accepted },
    { name: 'duplicate', count: ledger.duplicate },
    { name: 'rejected', count: ledger.rejected },
    { name: 'dropped', count: gone },
    { name: 'pending', count: ledger.pending },
  ];
  const balances = ledger.remainder === 0;
  if (ledger.outboxes === 0) {
    return html`<article class="card ledger">
      <h3>${ledger.name}</h3>
      <p class="soft">${ledger.stored} events are here; no game has sent its books yet.</p>
    </article>`;
  }
  return html`<article class="card ledger" data-application="${ledger.applicationId}">
    <h3>
      ${ledger.name}
      <span class="badge ${balances ? 'good' : 'bad'}">
        ${balances ? 'The books balance' : `Off by ${String(ledger.remainder)}`}
      </span>
    </h3>
    ${stackedBar(parts, ledger.created)}
    <p class="equation">
      <span class="term"><strong>${ledger.created}</strong> created</span>
      ${parts.map(
        ({ name, count }, index) =>
          html`<span class="sign">${index === 0 ? '=' : '+'}</span>
            <span class="term ${name}"><strong>${count}</strong> ${name}</span>`,
      )}
    </p>
    <p class="soft">
      ${dropped.length > 0 ? `Dropped: ${dropped.map(([why, count]) => `${why} ${String(count)}`).join(', ')}. ` : ''}
      ${ledger.stored} stored here${ledger.unbooked > 0 ? `, ${String(ledger.unbooked)} of them in no books yet` : ''}.
      ${ledger.outboxes === 1 ? '1 outbox' : `${String(ledger.outboxes)} outboxes`}${
        ledger.outboxesInMemory > 0 ? `, ${String(ledger.outboxesInMemory)} in memory only` : ''
      }.
    </p>
  </article>`;
}

function stackedBar(parts: readonly { name: string; count: number }[], created: number): Html {
  let left = 0;
  const whole = Math.max(created, 1);
  return html`<svg class="stack" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="share-back" width="100" height="4" />
    ${parts.map(({ name, count }) => {
      const width = Math.min(100 - left, (count / whole) * 100);
      const bar = html`<rect class="${name}" x="${left.toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
      left += width;
      return bar;
    })}
  </svg>`;
}
