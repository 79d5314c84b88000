/** Size of the canvas in its own pixels. */
export const VIEW_WIDTH = 960;
export const VIEW_HEIGHT = 540;

/** World heights of the street, downwards, and the lower edge of the picture at every zoom. */
export const Y = {
  houseFoot: 388,
  kerb: 428,
  laneLeft: 446,
  laneRight: 466,
  courier: 506,
  bottom: 540,
} as const;

/** Draw order. */
export const Depth = {
  sky: -1000,
  stars: -990,
  sun: -980,
  cloud: -970,
  skylineFar: -960,
  skylineMid: -950,
  blimp: -940,
  roof: -2,
  house: 0,
  houseLights: 1,
  houseAd: 3,
  lamp: 10,
  busStop: 12,
  poster: 13,
  bridge: 16,
  bridgeAd: 17,
  tree: 20,
  trafficLeft: 30,
  trafficRight: 32,
  dropBack: 38,
  obstacle: 40,
  parcel: 44,
  courier: 50,
  dropFront: 52,
  bird: 60,
  steam: 61,
  veil: 70,
  light: 72,
  near: 80,
  weather: 85,
  word: 90,
} as const;
