/*
 * A gate that asks a real browser on a shared machine gets an odd answer now and then. In CI (`CI` set) such a test may
 * try once more; `.ci/run` names every test that needed to, since one that does so often is a race to be found.
 */
if (process.env['CI']) jest.retryTimes(1, { logErrorsBeforeRetry: true });
