import { resolveAddress } from '../../../src/packagedFiles.js';
import { checkClickUrl, checkCreativeUrl, type CreativeUrlRules } from '../../../src/creative/urlRules.js';
import { withCode } from '../../helpers/withCode.js';

const ANY: CreativeUrlRules = { hosts: null, allowLoopback: false };
const LOCAL: CreativeUrlRules = { hosts: null, allowLoopback: true };
const LISTED: CreativeUrlRules = { hosts: ['good.com', 'cdn.example.net:8443'], allowLoopback: false };

describe('the address of a creative', () => {
  it.each([
    [ANY, 'https://cdn.example.com/a.png?x=1'],
    [ANY, 'https://cdn.example.com:443/a.png'],
    [LISTED, 'https://good.com/a.png'],
    [LISTED, 'https://CDN.Good.com/a.png'],
    [LISTED, 'https://cdn.example.net:8443/a.png'],
    [{ hosts: ['good.com:443'], allowLoopback: false }, 'https://good.com/a.png'],
    [LOCAL, 'http://127.0.0.1:8080/a.png'],
    [LOCAL, 'http://localhost:8080/a.png'],
    [LOCAL, 'http://[::1]:8080/a.png'],
  ])('is accepted: %j %s', (rules, address) => {
    expect(checkCreativeUrl(address, rules)).toBe(new URL(address).href);
  });

  it.each([
    ['B14 relative', '/a.png', 'ad/url-invalid'],
    ['B14 empty', '', 'ad/url-invalid'],
    ['B14 no URL', 'https://', 'ad/url-invalid'],
    ['B14 no text', 5 as never, 'ad/url-invalid'],
    ['B15 http', 'http://cdn.example.com/a.png', 'ad/url-scheme'],
    ['B15 http from this machine', 'http://localhost/a.png', 'ad/url-scheme'],
    ['B16 data:', 'data:image/png;base64,AAAA', 'ad/url-scheme'],
    ['B16 blob:', 'blob:https://cdn.example.com/1', 'ad/url-scheme'],
    ['B16 file:', 'file:///etc/passwd', 'ad/url-scheme'],
    ['B16 filesystem:', 'filesystem:https://cdn.example.com/a', 'ad/url-scheme'],
    ['B17 javascript:', 'javascript:alert(1)', 'ad/url-scheme'],
    ['B17 with a line break', 'java\nscript:alert(1)', 'ad/url-scheme'],
    ['B17 with a leading NUL and blank', '\0 javascript:alert(1)', 'ad/url-scheme'],
    ['B18 user information', 'https://user:pw@cdn.example.com/a.png', 'ad/url-credentials'],
    ['B18 a user alone', 'https://user@cdn.example.com/a.png', 'ad/url-credentials'],
    ['B20 an IPv4 address', 'https://203.0.113.5/a.png', 'ad/url-host'],
    ['B20 an IPv4 address as one number', 'https://3405803781/a.png', 'ad/url-host'],
    ['B20 an IPv4 address in hex', 'https://0xcb.0.0x71.5/a.png', 'ad/url-host'],
    ['B20 an IPv6 address', 'https://[2001:db8::1]/a.png', 'ad/url-host'],
    ['B20 localhost', 'https://localhost/a.png', 'ad/url-host'],
    ['B20 below localhost', 'https://cdn.localhost/a.png', 'ad/url-host'],
    ['B20 [::1]', 'https://[::1]/a.png', 'ad/url-host'],
    ['B20 a name without a dot', 'https://intranet/a.png', 'ad/url-host'],
    ['B20 an odd port', 'https://cdn.example.com:8443/a.png', 'ad/url-host'],
    ['B19 a trailing dot', 'https://cdn.example.com./a.png', 'ad/url-host'],
    ['B21 longer than 2048', `https://cdn.example.com/${'a'.repeat(2048)}`, 'ad/url-invalid'],
  ])('%s: refused', (_, address, code) => {
    expect(() => checkCreativeUrl(address, ANY)).toThrow(withCode(code));
  });

  it.each([
    ['B19 a longer host', 'https://good.com.evil.io/a.png'],
    ['B19 no dot before', 'https://evilgood.com/a.png'],
    ['B19 a trailing dot', 'https://good.com./a.png'],
    ['B19 a punycode twin', 'https://gооd.com/a.png'],
    ['B20 another port', 'https://good.com:8443/a.png'],
    ['B20 the port of the scheme instead of the listed', 'https://cdn.example.net/a.png'],
    ['B20 an address', 'https://203.0.113.5/a.png'],
  ])('is refused when a list does not hold its host: %s', (_, address) => {
    expect(() => checkCreativeUrl(address, LISTED)).toThrow(withCode('ad/url-host'));
  });

  it.each([
    ['another port', 'https://good.com:8443/a.png'],
    ['another host', 'https://bad.com/a.png'],
  ])('is refused when a list holds its host with the port of https, and it has %s', (_, address) => {
    const rules = { hosts: ['good.com:443'], allowLoopback: false };
    expect(() => checkCreativeUrl(address, rules)).toThrow(withCode('ad/url-host'));
  });

  it.each([
    ['of another machine by http', 'http://cdn.example.com/a.png', 'ad/url-scheme'],
    ['of this machine by neither http nor https', 'ftp://localhost/a.png', 'ad/url-scheme'],
    ['of another machine by its number', 'https://203.0.113.5/a.png', 'ad/url-host'],
    ['with another port', 'https://cdn.example.com:8443/a.png', 'ad/url-host'],
  ])('is refused where this machine may serve creatives, too: %s', (_, address, code) => {
    expect(() => checkCreativeUrl(address, LOCAL)).toThrow(withCode(code));
  });

  it('on this machine is held to a list like every other', () => {
    const rules = { hosts: ['good.com'], allowLoopback: true };
    expect(() => checkCreativeUrl('http://localhost/a.png', rules)).toThrow(withCode('ad/url-host'));
  });
});

describe("S11: the page's own origin", () => {
  it.each([
    ['file:///android_asset/www/index.html', 'file:///android_asset/www/ads/a.png'],
    ['capacitor://localhost/index.html', 'capacitor://localhost/ads/a.png'],
    ['app://./index.html', 'app://./ads/a.png'],
    ['http://192.168.1.20:8080/', 'http://192.168.1.20:8080/ads/a.png'],
    ['https://games.example:8443/rush/', 'https://games.example:8443/ads/a.png'],
  ])('of %s may serve %s, also beside a list of hosts', (page, address) => {
    expect(checkCreativeUrl(address, { ...ANY, page })).toBe(new URL(address).href);
    expect(checkCreativeUrl(address, { ...LISTED, page })).toBe(new URL(address).href);
    expect(() => checkCreativeUrl(address, ANY)).toThrow();
  });

  it.each([
    ['https://games.example/', 'http://games.example/a.png', 'ad/url-scheme'],
    ['https://games.example/', 'https://games.example:8443/a.png', 'ad/url-host'],
    ['https://games.example/', 'file:///a.png', 'ad/url-scheme'],
    ['http://192.168.1.20:8080/', 'http://192.168.1.21:8080/a.png', 'ad/url-scheme'],
    ['http://192.168.1.20:8080/', 'http://u:p@192.168.1.20:8080/a.png', 'ad/url-credentials'],
    ['capacitor://localhost/', 'capacitor://other/a.png', 'ad/url-scheme'],
    ['about:srcdoc', 'about:blank', 'ad/url-scheme'],
    ['data:text/html,x', 'data:image/png;base64,AAAA', 'ad/url-scheme'],
    ['blob:https://games.example/1', 'blob:https://games.example/2', 'ad/url-scheme'],
  ])('of %s is not that of %s', (page, address, code) => {
    expect(() => checkCreativeUrl(address, { ...ANY, page })).toThrow(withCode(code));
  });
});

describe('a click-through address', () => {
  it('is https', () => {
    expect(checkClickUrl(' https://shop.example.com/offer ')).toBe('https://shop.example.com/offer');
    const ofBuyer = `https://click.example.com/?adurl=${'a'.repeat(8_000)}`;
    expect(checkClickUrl(ofBuyer)).toBe(ofBuyer);
  });

  it.each([
    'http://shop.example.com',
    'http://localhost',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,hi',
    'https://user@shop.example.com',
    '/offer',
    '',
    `https://shop.example.com/${'a'.repeat(16_384)}`,
  ])('B23 is refused when it is: %s', (address) => {
    expect(() => checkClickUrl(address)).toThrow(withCode('click/url'));
  });
});

it('a click-through address leads to the hosts of a list and those below them, where there is one', () => {
  for (const host of ['shop.com', 'www.shop.com']) {
    expect(checkClickUrl(`https://${host}/`, ['other.com', 'shop.com'])).toBe(`https://${host}/`);
  }
  for (const host of ['evilshop.com', 'shop.com.evil.io', 'shop.com:8443']) {
    expect(() => checkClickUrl(`https://${host}/`, ['other.com', 'shop.com'])).toThrow(withCode('click/url'));
  }
});

describe('the address of a file of the game', () => {
  it.each([
    ['https://cdn.example.com/a.json', null, 'https://cdn.example.com/a.json'],
    ['ads/a.json', null, null],
    ['file:///a.json', null, null],
    ['ads/a.json', 'https://game.example.com/play/', 'https://game.example.com/play/ads/a.json'],
    ['ads/a.json', 'capacitor://localhost/index.html', 'capacitor://localhost/ads/a.json'],
    ['file:///a.json', 'capacitor://localhost/index.html', null],
    ['javascript:alert(1)', 'https://game.example.com/', null],
  ])('%s, asked for by %p, is %p', (address, base, resolved) => {
    expect(resolveAddress(address, base)).toBe(resolved);
  });
});
