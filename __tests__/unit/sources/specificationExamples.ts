import { readBlockLists } from '../../../src/sources/openrtb/blockLists.js';

/**
 * Public example messages, as the specifications print them (typographic quotes and missing commas set right):
 * OpenRTB 2.6 §6.3 and Dynamic Native Ads 1.2 §6.1, §6.2. © IAB Technology Laboratory, CC BY 3.0.
 */

/** Native 1.2 §6.1: the answer to a request that asked for the main image as asset 128. Its addresses are http. */
export const SOCIAL_CLICKOUT = {
  link: { url: 'http: //i.am.a/URL' },
  assets: [
    { id: 123, required: 1, title: { text: 'Learn about this awesome thing' } },
    { id: 124, required: 1, img: { url: 'http://www.myads.com/thumbnail1.png' } },
    { id: 128, required: 1, img: { url: 'http://www.myads.com/largethumb1.png' } },
    { id: 126, required: 1, data: { value: 'My Brand' } },
    {
      id: 127,
      required: 1,
      data: { value: 'Learn all about this awesome story of someone using my product.' },
    },
  ],
  eventtrackers: [
    { event: 1, method: 2, url: 'http://www.mytracker.com/tracker.js' },
    { event: 2, method: 1, url: 'http://www.mytracker.com/tracker.php' },
  ],
  privacy: 'http://www.myprivacyurl.com',
};

/** Native 1.2 §6.2: a video with a main image beside it. */
export const CONTENT_VIDEO = {
  link: { url: 'http: //i.am.a/URL' },
  assets: [
    { id: 4, video: { vasttag: "<VAST version='2.0'></VAST>" } },
    { id: 123, required: 1, title: { text: 'Watch this awesome thing' } },
    { id: 124, required: 1, img: { url: 'http://www.myads.com/thumbnail1.png' } },
    { id: 128, required: 1, img: { url: 'http://www.myads.com/largethumb1.png' } },
    { id: 126, required: 1, data: { value: 'My Brand' } },
  ],
};

/** The assets the two were asked for. */
export const NATIVE_ASKED = {
  mainImageId: 128,
  titleId: 123,
  sponsorId: 126,
  label: 'Ad',
  blocked: readBlockLists({}),
  accepts: () => true,
  isVideo: () => false,
};

/** OpenRTB 2.6 §6.3.1: the markup comes with the win notice. */
export const AD_SERVED_ON_WIN = {
  id: '1234567890',
  bidid: 'abc1123',
  cur: 'USD',
  seatbid: [
    {
      seat: '512',
      bid: [
        {
          id: '1',
          impid: '102',
          price: 9.43,
          nurl: 'http://adserver.com/winnotice?impid=102',
          iurl: 'http://adserver.com/pathtosampleimage',
          adomain: ['advertiserdomain.com'],
          cid: 'campaign111',
          crid: 'creative112',
          attr: [1, 2, 3, 4, 5, 6, 7, 12],
        },
      ],
    },
  ],
};

/** OpenRTB 2.6 §6.3.2, its VAST shortened. */
export const VAST_INLINE = {
  id: '123',
  seatbid: [
    {
      bid: [
        {
          id: '12345',
          impid: '2',
          price: 3.0,
          nurl: 'http://example.com/winnoticeurl',
          adm: '<?xml version="1.0" encoding="utf-8"?>\n<VAST version="2.0">\n<Ad id="12345">\n</Ad>\n</VAST>',
        },
      ],
    },
  ],
};

/** OpenRTB 2.6 §6.3.4 around a native ad, which the specification leaves out. */
export function nativeInline(native: object): object {
  return {
    id: '123',
    seatbid: [
      {
        bid: [
          {
            id: '12345',
            impid: '2',
            price: 3.0,
            nurl: 'http://example.com/winnoticeurl',
            adm: JSON.stringify({ native }),
          },
        ],
      },
    ],
  };
}
