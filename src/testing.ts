export { TEST_ANSWERS, type TestAnswer } from './testAnswers.js';
export { TestAds } from './sources/TestAds.js';
