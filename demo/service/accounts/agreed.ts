/**
 * SQL's list of the states of a connect request that the player has agreed to, in the web app or in a popup, and whose game
 * has not fetched its tokens: whatever ends sessions ends these, too.
 */
export const AGREED = `('confirmed', 'approved')`;
