import { boundingBoxes, type Candidate } from './candidates.js';
import { everyFrame, trackingFunctions } from './productCandidates.js';

/** All that is compared with the picture, the product's own first. */
export const candidatesUnderTest: readonly Candidate[] = [everyFrame, trackingFunctions, boundingBoxes];
