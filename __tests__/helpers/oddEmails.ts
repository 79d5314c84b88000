/** Ways in which `ada@example.com` arrives when it is copied from a page or typed on another keyboard. */
export const ODD_EMAILS: readonly string[] = [
  '\u200bada@example.com',
  'ada@example.com\u200b ',
  '\ufeffada@example.com',
  'ada\u200d@exam\u00adple.com',
  '\u202aada@example.com\u202c',
  'ada@\u2060example.com\ufe0f',
  '\u00a0ada@example.com\u3000',
  'ada\uff20example.com',
  '\uff41da@example\uff0ecom',
  'ada@\u034fexample.com\u3164',
];
