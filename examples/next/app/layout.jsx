export const metadata = { title: 'phaser-inview: Next' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={{ margin: 0, background: '#0b0d26' }}>{children}</body>
    </html>
  );
}
