/** Runs once after the last test on PostgreSQL: ends the server that was started for them. */
export default async function postgresTeardown() {
  await globalThis.stopPostgres?.();
}
