/** The logo: print layers, each shorter than the one above. */
export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.4}
      strokeLinecap="round"
      className="shrink-0 text-accent"
      aria-hidden
    >
      <path d="M3 6.2h18M5.6 10.4h13.2M9.2 14.6h7.2M13.4 18.8h1.2" />
    </svg>
  )
}
