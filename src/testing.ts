export { TEST_ANSWERS, type TestAnswer } from './options.js';
export { TestAds } from './sources/TestAds.js';
