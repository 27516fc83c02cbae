import type { ProductCost } from '@pegasus/contracts/products/setup'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { formatMoney } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/**
 * Shows the calculation of a cost: its lines with formulas, and the inputs. A note says whether the cost is
 * provisional.
 */
export const CostSum = ({ cost }: { cost: ProductCost }) => (
  <div className="flex flex-col gap-2">
    <ProvisionalNote cost={cost} />
    <Calculation cost={cost} />
  </div>
)

/**
 * Says that a person still has to decide how many plates the cost counts. The note is outside the details of the cost,
 * which may be collapsed.
 */
export function ProvisionalNote({ cost, className }: { cost: ProductCost; className?: string }) {
  const files = cost.sliced_from.filter((slice) => slice.is_provisional).map(({ file_name: file }) => file)
  if (files.length === 0) return null
  return (
    <AlertBox tone="note" {...(className && { className })}>
      {t(
        'This sum is provisional. It counts one plate, because nobody has decided whether one piece needs all plates of {file}. Decide it on the page of the model.',
        { file: files.join(', ') },
      )}
    </AlertBox>
  )
}

const Calculation = ({ cost }: { cost: ProductCost }) => (
  <details className="text-label">
    <summary className="w-fit cursor-pointer py-0.5 text-ink-2 hover:text-ink">
      {cost.basis === 'item' ? t('How the cost adds up') : t('How the cost is estimated')}
    </summary>
    <table className="mt-2 w-full">
      <caption className="sr-only">{t('The cost of one piece, line by line')}</caption>
      <tbody>
        {cost.lines.map(({ kind, label, amount, formula }) => (
          <tr key={kind} className="align-top">
            <th scope="row" className="py-1 pe-3 text-start font-normal">
              {label}
              <span className="block text-caption text-ink-3 wrap-anywhere">{formula}</span>
            </th>
            <td className="py-1 text-end whitespace-nowrap tabular-nums">{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-line font-semibold">
          <th scope="row" className="py-1.5 pe-3 text-start">
            {t('One piece')}
          </th>
          <td className="py-1.5 text-end whitespace-nowrap tabular-nums">{formatMoney(cost.unit_cost)}</td>
        </tr>
      </tfoot>
    </table>
    {cost.assumptions.length > 0 ? (
      <ul
        aria-label={t('What the cost is based on')}
        className="mt-1 flex flex-col gap-1 text-caption text-ink-2"
      >
        {cost.assumptions.map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            {serverText(sentence)}
          </li>
        ))}
      </ul>
    ) : null}
  </details>
)

/** Formats the margin at a price and a cost. */
export const marginLabel = (price: number, cost: number): string =>
  `${((1 - cost / price) * 100).toFixed(1)}\u00A0%`
