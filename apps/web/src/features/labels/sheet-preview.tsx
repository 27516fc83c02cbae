import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import { type LabelPaper, cellsOf } from '@pegasus/contracts/labels/label-papers'
import { cx } from '@/lib/class-names.ts'
import { LabelPicture } from './label-picture.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface SheetPreviewProps {
  labels: readonly Label[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
  onStart: (cell: number) => void
}

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`

// Paper is white in dark mode too, so these colors ignore the theme.
const LINE = 'outline-[oklch(0_0_0/0.14)]'
const CHOSEN = 'outline-2 outline-[oklch(0.455_0.082_212)]'
const USED_UP =
  'bg-[repeating-linear-gradient(135deg,oklch(0.93_0_0)_0_4px,oklch(0.885_0_0)_4px_5px)] hover:bg-[oklch(0.945_0.022_210)]'

/** Shows the first page as it will be printed. On a sheet of labels, a click selects the first unused label. */
export function SheetPreview({ labels, paper, fields, startCell, onStart }: SheetPreviewProps) {
  const perPage = paper.columns * paper.rows
  const cells = cellsOf(paper, perPage)
  const pages = Math.ceil((startCell - 1 + labels.length) / perPage)
  return (
    <div className="flex w-full flex-col items-center gap-2.5">
      <div
        // The page is scaled so that all of it is visible.
        className="relative bg-[white] shadow-float"
        style={{
          aspectRatio: `${paper.page_width_mm} / ${paper.page_height_mm}`,
          width: `min(100%, 420px, ${(52 * paper.page_width_mm) / paper.page_height_mm}dvh)`,
        }}
      >
        {cells.map((position, index) => {
          const cell = index + 1
          const label = labels[cell - startCell]
          const box = {
            left: percent(position.x_mm, paper.page_width_mm),
            top: percent(position.y_mm, paper.page_height_mm),
            width: percent(paper.label_width_mm, paper.page_width_mm),
            height: percent(paper.label_height_mm, paper.page_height_mm),
          }
          return (
            <div key={cell} className="absolute" style={box}>
              {label ? (
                <LabelPicture label={label} paper={paper} fields={fields} className="size-full" />
              ) : null}
              {perPage > 1 ? (
                // The button covers the picture instead of containing it, so that the label's text is not
                // part of the button's name.
                <button
                  type="button"
                  aria-label={t('Start at cell {cell}', { cell })}
                  title={t('Start at cell {cell}', { cell })}
                  aria-pressed={cell === startCell}
                  // Tab reaches only one of the buttons. The number field next to the sheet sets the same
                  // value.
                  tabIndex={cell === startCell ? 0 : -1}
                  onClick={() => onStart(cell)}
                  className={cx(
                    'absolute inset-px rounded-[3px] -outline-offset-1 hover:outline-2 hover:outline-[oklch(0.455_0.082_212)]',
                    cell === startCell ? CHOSEN : `outline-1 ${LINE}`,
                    cell < startCell && USED_UP,
                  )}
                />
              ) : null}
            </div>
          )
        })}
      </div>
      {perPage > 1 ? (
        <p className="text-center text-caption text-ink-2">
          {pages > 1 ? (
            <>{t('The first of {pages, plural, one {# sheet} other {# sheets}}.', { pages })} </>
          ) : null}
          {t('Select the first label to use. The labels before it count as used.')}
        </p>
      ) : null}
    </div>
  )
}
