export { VastVideo, type VastVideoOptions } from './sources/vast/VastVideo.js';
