/** Host of test creatives. `.invalid` belongs to nobody (RFC 6761), so no request for it can ever leave by mistake. */
export const TEST_HOST = 'test-ads.invalid';
