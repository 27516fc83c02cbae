import { filamentColor } from '@/lib/format/filament-color.ts'
import { formatPercent } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

const ARC_RADIUS = 43
const ARC_LENGTH = 2 * Math.PI * ARC_RADIUS
const FLANGE_RADIUS = 36.5
const HUB_RADIUS = 18
const WINDING_STEP = 4

interface RemainingRingProps {
  /** The remaining share, from 0 to 1. */
  share: number
  colorHex: string | null
  isLow: boolean
  className?: string
}

/** Returns the outer radius of the filament on a spool. The area of the ring is proportional to the remaining share. */
export const woundRadius = (share: number): number =>
  Math.sqrt(HUB_RADIUS ** 2 + share * (FLANGE_RADIUS ** 2 - HUB_RADIUS ** 2))

/** A spool from the side. The arc shows the remaining share, and the disc shows the wound filament in its color. */
export function RemainingRing({ share, colorHex, isLow, className }: RemainingRingProps) {
  const remaining = Math.min(1, Math.max(0, share))
  const color = filamentColor(colorHex)
  const radius = woundRadius(remaining)
  const windings = Math.max(0, Math.floor((radius - HUB_RADIUS) / WINDING_STEP))
  const [number, unit] = formatPercent(remaining).split('\u00A0')
  return (
    <svg
      viewBox="0 0 96 96"
      role="img"
      aria-label={t('{left} left', { left: formatPercent(remaining) })}
      className={className}
    >
      <circle cx="48" cy="48" r={ARC_RADIUS} className="fill-transparent stroke-line" strokeWidth="4" />
      {remaining > 0 ? (
        <circle
          cx="48"
          cy="48"
          r={ARC_RADIUS}
          className={isLow ? 'fill-transparent stroke-yellow' : 'fill-transparent stroke-ink'}
          strokeWidth="4"
          strokeDasharray={`${remaining * ARC_LENGTH} ${ARC_LENGTH}`}
          transform="rotate(-90 48 48)"
        />
      ) : null}
      <circle cx="48" cy="48" r={FLANGE_RADIUS} style={{ fill: color }} fillOpacity="0.2" />
      <circle cx="48" cy="48" r={FLANGE_RADIUS} className="fill-transparent stroke-line-2" />
      {remaining > 0 ? (
        <circle cx="48" cy="48" r={radius} style={{ fill: color }} className="stroke-line-2" />
      ) : null}
      {Array.from({ length: windings }, (_, index) => (
        <circle
          key={index}
          cx="48"
          cy="48"
          r={radius - index * WINDING_STEP}
          className="fill-transparent"
          stroke="#000"
          strokeOpacity="0.14"
        />
      ))}
      <circle cx="48" cy="48" r={HUB_RADIUS} className="fill-surface stroke-line-2" />
      <text x="48" y="52.4" textAnchor="middle" className="fill-ink text-[13px] font-semibold">
        {number}
        <tspan className="text-[9px] font-medium">{unit}</tspan>
      </text>
    </svg>
  )
}
