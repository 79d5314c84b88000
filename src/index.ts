import './plugin/augment.js';

export type { ConsentProvider, ConsentSignals } from './consentRules.js';
export { ADS_ERROR_CODES, AdsError, type AdsErrorCode, type AdsErrorDetails, isAdsError } from './errors.js';
export {
  type AdsEventMap,
  type AdsEventName,
  AdsEvents,
  type ClickedAd,
  type ClickOpening,
  type VideoEvent,
} from './events.js';
export { ServiceHooks, type TrackingHooks } from './hooks.js';
export {
  type AdsCredentials,
  type AdsOptions,
  type AdsPluginOptions,
  type AdsSettings,
  type AdsSourceOptions,
  type ApplicationToken,
  DEFAULT_BASE_URL,
  type TokenProvider,
} from './options.js';
export { AdsGlobalPlugin } from './plugin/AdsGlobalPlugin.js';
export type { AdSummary, StandardSummary } from './placement/AdSummary.js';
export type { CalculateAdCoverage } from './meter/CalculateAdCoverage.js';
export { type FriendlyObstruction, ObstructionPurpose } from './meter/FriendlyObstructions.js';
export type { Delivery } from './placement/Delivery.js';
export { type AdsEventHandler, AdsScenePlugin } from './plugin/AdsScenePlugin.js';
export type { ObserveAdOptions, PreloadOptions } from './plugin/readArguments.js';
export { type InviewPlugins, inviewPlugins } from './plugin/inviewPlugins.js';
export type { FrameMeter, MeasurementListener, ObserveOptions } from './meter/FrameMeter.js';
export type { SpriteMeasurement } from './meter/SpriteMeasurement.js';
export { GameMeter } from './meter/GameMeter.js';
export type { BoxScale } from './placement/AdBox.js';
export { PlacedAd, type PlacedAdState } from './placement/PlacedAd.js';
export type { ShownFallback } from './placement/FallbackView.js';
export type { CountStorage, FrequencyRule } from './mixRules.js';
export type { Fallback, FallbackCause, FallbackChooser, HouseAd, RefreshRule } from './placementRules.js';
export type { MakeAdConfig, PlaceOptions } from './placement/placeOptions.js';
export { OVERLAY_ATTRIBUTE } from './page/flatTree.js';
export { type ObjectBounds, type ObjectBox, registerBounds } from './record/objects/registerBounds.js';
export {
  type AdShape,
  adShape,
  adShapes,
  calculateAdCoverage,
  type CheckAdFullVisibility,
  checkAdFullVisibility,
  type ShapeOf,
  visibleFragments,
} from './meter/tracking.js';
export type { AdEvent } from './report/AdEvent.js';
export type { Durability } from './report/Outbox.js';
export type { DropReason, ReportBooks } from './report/ReportLedger.js';
export type {
  Ad,
  AdRevenue,
  AdService,
  AdSurface,
  AdSurfaceList,
  AdTracker,
  AdTrackerEvent,
  CallOptions,
} from './service/AdService.js';
export type { AdWarning, AdWarningCode } from './service/AdWarnings.js';
export { ServiceClient } from './service/ServiceClient.js';
export type { ConnectOptions, ConnectResult, LoginResult } from './service/ConnectResult.js';
export { SessionEvents, type SessionEventMap } from './service/SessionChanges.js';
export type { SessionState } from './service/SessionMachine.js';
export type { SessionSnapshot } from './service/SessionSnapshot.js';
export type { TestAnswer } from './testAnswers.js';
export { type AdMeasurement, Reason } from './measure/AdMeasurement.js';
export type { AttentionFigures } from './viewability/Attention.js';
export type { ClickRefusal } from './measure/ClickRefusal.js';
export type { FailingRule } from './viewability/ViewabilitySample.js';
export { VIEWABILITY_STANDARDS, type ViewabilityStandard } from './viewability/ViewabilityStandards.js';
