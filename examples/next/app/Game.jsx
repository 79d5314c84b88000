import { useEffect, useRef } from 'react';
import { startGame } from './startGame';

/** The game lives as long as the component. In StrictMode React mounts it twice: the first game is destroyed. */
export default function Game() {
  const parent = useRef(null);
  useEffect(() => startGame(parent.current), []);
  return <div ref={parent} />;
}
