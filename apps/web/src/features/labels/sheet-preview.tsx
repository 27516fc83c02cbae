import type { Label, LabelField } from '@pegasus/contracts/labels'
import { type LabelPaper, cellsOf } from '@pegasus/contracts/labels-sizes'
import { cx } from '@/lib/class-names.ts'
import { LabelPicture } from './label-picture.tsx'

interface SheetPreviewProps {
  labels: readonly Label[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
  onStart: (cell: number) => void
}

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`

/** The first page as it will come out. On a sheet, a place can be chosen to begin at: those before it are used up. */
export function SheetPreview({ labels, paper, fields, startCell, onStart }: SheetPreviewProps) {
  const perPage = paper.columns * paper.rows
  const places = cellsOf(paper, perPage)
  return (
    <div
      // Paper is white in the dark as well, and as a whole in sight whatever its shape.
      className="relative mx-auto bg-[white] shadow-float"
      style={{
        aspectRatio: `${paper.page_width_mm} / ${paper.page_height_mm}`,
        width: `min(100%, 420px, ${(52 * paper.page_width_mm) / paper.page_height_mm}dvh)`,
      }}
    >
      {places.map((place, index) => {
        const cell = index + 1
        const label = labels[cell - startCell]
        const box = {
          left: percent(place.x_mm, paper.page_width_mm),
          top: percent(place.y_mm, paper.page_height_mm),
          width: percent(paper.label_width_mm, paper.page_width_mm),
          height: percent(paper.label_height_mm, paper.page_height_mm),
        }
        return (
          <div key={cell} className="absolute" style={box}>
            {label ? (
              <LabelPicture label={label} paper={paper} fields={fields} className="size-full" />
            ) : null}
            {perPage > 1 ? (
              // Over the picture and not around it: the words of a label are no part of the button's name.
              <button
                type="button"
                aria-label={`Begin at place ${cell}`}
                aria-pressed={cell === startCell}
                onClick={() => onStart(cell)}
                className={cx(
                  'absolute inset-0 outline-1 -outline-offset-1 outline-[oklch(0_0_0/0.18)] hover:outline-accent',
                  cell < startCell && 'bg-[oklch(0_0_0/0.1)]',
                )}
              />
            ) : null}
          </div>
        )
      })}
    </div>
  )
}
