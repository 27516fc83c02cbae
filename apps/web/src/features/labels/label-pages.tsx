import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import { type LabelPaper, cellsOf } from '@pegasus/contracts/labels/label-papers'
import { getNonce } from 'get-nonce'
import { createPortal } from 'react-dom'
import { LabelPicture } from './label-picture.tsx'

interface LabelPagesProps {
  labels: readonly Label[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
}

/** Returns styles that print only these pages, in the exact size of the paper and without browser margins. */
const printRules = ({ page_width_mm: width, page_height_mm: height }: LabelPaper): string => `
  @page { size: ${width}mm ${height}mm; margin: 0 }
  @media screen { #label-pages { display: none } }
  @media print {
    html, body { margin: 0 !important; padding: 0 !important; background: white !important; height: auto !important; overflow: visible !important }
    body > :not(#label-pages) { display: none !important }
    #label-pages > div { position: relative; overflow: hidden; width: ${width}mm; height: ${height}mm; break-inside: avoid; break-after: page }
    #label-pages > div:last-of-type { break-after: auto }
    #label-pages svg { position: absolute; display: block }
  }`

/** The pages for the printer, invisible on the screen. */
export function LabelPages({ labels, paper, fields, startCell }: LabelPagesProps) {
  const cells = cellsOf(paper, labels.length, startCell)
  const pages = Array.from({ length: (cells.at(-1)?.page ?? -1) + 1 }, (_, page) => page)
  return createPortal(
    <div id="label-pages">
      <style nonce={getNonce()}>{printRules(paper)}</style>
      {pages.map((page) => (
        <div key={page}>
          {cells.map((cell, index) => {
            const label = labels[index]
            return cell.page === page && label ? (
              // Copies repeat the same label, so the position is the key.
              <span
                key={`${cell.x_mm} ${cell.y_mm}`}
                style={{ position: 'absolute', left: `${cell.x_mm}mm`, top: `${cell.y_mm}mm` }}
              >
                <LabelPicture label={label} paper={paper} fields={fields} />
              </span>
            ) : null
          })}
        </div>
      ))}
    </div>,
    document.body,
  )
}
