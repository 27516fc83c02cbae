import { type Label, type LabelField, labelLines } from '@pegasus/contracts/labels/labels'
import { type MeasureText, layOutLabel } from '@pegasus/contracts/labels/label-layout'
import type { LabelPaper } from '@pegasus/contracts/labels/label-papers'
import { useMemo } from 'react'
import { t } from '@/lib/i18n/messages.ts'

/** Font size, in pixels, at which text is measured. At small sizes, browsers round the widths. */
const MEASURED_AT_PX = 100
const LETTERS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

let canvas: CanvasRenderingContext2D | null = null

const measureText: MeasureText = (text, { sizeMm, isBold }) => {
  canvas ??= document.createElement('canvas').getContext('2d')
  if (!canvas) return text.length * sizeMm * 0.6
  canvas.font = `${isBold ? 600 : 400} ${MEASURED_AT_PX}px ${LETTERS}`
  return (canvas.measureText(text).width / MEASURED_AT_PX) * sizeMm
}

interface LabelPictureProps {
  label: Label
  paper: LabelPaper
  fields: readonly LabelField[]
  className?: string
}

/** One label in black on white. It has its real size unless its container sets another size. */
export function LabelPicture({ label, paper, fields, className }: LabelPictureProps) {
  const { label_width_mm: width, label_height_mm: height } = paper
  const { qr, lines } = useMemo(
    () =>
      layOutLabel({
        widthMm: width,
        heightMm: height,
        modules: label.qr.modules,
        lines: labelLines(label, fields),
        measure: measureText,
      }),
    [label, width, height, fields],
  )
  return (
    <svg
      role="img"
      aria-label={t('Label {code}', { code: label.code })}
      width={`${width}mm`}
      height={`${height}mm`}
      viewBox={`0 0 ${width} ${height}`}
      className={className}
    >
      <path fill="white" d={`M0 0h${width}v${height}h-${width}z`} />
      <path
        fill="black"
        shapeRendering="crispEdges"
        transform={`translate(${qr.x} ${qr.y}) scale(${qr.moduleMm})`}
        d={label.qr.path}
      />
      {lines.map((line) => (
        <text
          key={`${line.baseline} ${line.text}`}
          x={line.x}
          y={line.baseline}
          fill="black"
          fontFamily={LETTERS}
          fontSize={line.sizeMm}
          fontWeight={line.isBold ? 600 : 400}
          // The printer's font may be a little wider than the measured one.
          textLength={line.widthMm}
          lengthAdjust="spacingAndGlyphs"
        >
          {line.text}
        </text>
      ))}
    </svg>
  )
}
