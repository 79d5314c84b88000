'use client';
import dynamic from 'next/dynamic';

// Phaser needs a browser: nothing of the game is loaded on the server.
const Game = dynamic(() => import('./Game'), { ssr: false });

export default function Page() {
  return <Game />;
}
