export { ConsentSource, type ConsentSourceOptions } from './consent/ConsentSource.js';
