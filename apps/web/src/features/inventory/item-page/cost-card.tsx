import type { CostLine, ItemCost } from '@pegasus/contracts/inventory/costs'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { useQuery } from '@tanstack/react-query'
import { CardState } from '@/components/card-state.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatDate, formatMoney } from '@/lib/format/format.ts'
import { costQuery } from '../inventory.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Shows the cost of one piece, line by line, and the profit at the selling price. */
export function CostCard({ item }: { item: InventoryItem }) {
  const query = useQuery(costQuery(item.id))
  return (
    <Card title={t('Cost of a piece')} aside={query.data ? formatMoney(query.data.unit_cost) : null}>
      <CardState error={t('The cost could not be loaded.')} loading={t('The cost: loading')} query={query} />
      {query.data ? <Sum cost={query.data} /> : null}
    </Card>
  )
}

function Sum({ cost }: { cost: ItemCost }) {
  const lines = cost.lines.filter(({ amount, is_entered }) => amount !== 0 || is_entered)
  return (
    <>
      {cost.missing.length > 0 ? (
        <AlertBox tone="note" className="m-3 mb-0">
          {cost.missing.length > 1
            ? t('Without its weight and print time, the sum is incomplete. Enter them with Edit.')
            : cost.missing[0] === 'weight_grams'
              ? t('Without its weight, the sum is incomplete. Enter it with Edit.')
              : t('Without its print time, the sum is incomplete. Enter it with Edit.')}
        </AlertBox>
      ) : null}
      {cost.sliced_from
        .filter((slice) => slice.is_provisional)
        .map(({ id, file_name: file }) => (
          <AlertBox key={id} tone="note" className="m-3 mb-0">
            {t(
              'This sum is provisional. It counts one plate, because nobody has decided whether one piece needs all plates of {file}. Decide it on the page of the model.',
              { file },
            )}
          </AlertBox>
        ))}
      <dl className="px-4 pt-1.5">
        {lines.map((line) => (
          <Line key={line.kind} line={line} />
        ))}
        <Total name={t('Cost')} amount={cost.unit_cost} />
        <Total name={t('Suggested price')} amount={cost.suggested_price} isQuiet />
        {cost.selling_price ? <Total name={t('Selling price')} amount={cost.selling_price} isQuiet /> : null}
      </dl>
      {cost.sliced_from.map((slice) => (
        <p key={slice.id} className="border-t border-line px-4 py-2.5 text-caption text-ink-3 wrap-anywhere">
          {sliceText(slice)}
        </p>
      ))}
      <ProfitSummary cost={cost} />
      {cost.saved && cost.saved.unit_cost !== cost.unit_cost ? (
        <p className="border-t border-line px-4 py-2.5 text-caption text-ink-3">
          {rich('{unit_cost} when the cost was last saved, on {at}.', {
            unit_cost: formatMoney(cost.saved.unit_cost),
            at: <time dateTime={cost.saved.at}>{formatDate(cost.saved.at)}</time>,
          })}
        </p>
      ) : null}
    </>
  )
}

/** Says which figures of the item come from a sliced file. */
function sliceText({ fields, file_name: file }: ItemCost['sliced_from'][number]): string {
  if (fields.length > 1) return t('Weight and print time are those of the sliced file {file}.', { file })
  return fields[0] === 'weight_grams'
    ? t('The weight is that of the sliced file {file}.', { file })
    : t('The print time is that of the sliced file {file}.', { file })
}

const Line = ({ line: { label, amount, formula, is_entered: isEntered } }: { line: CostLine }) => (
  <div className="flex justify-between gap-3 py-1.5">
    <dt className="min-w-0">
      {label}
      <span className="block text-caption text-ink-3 wrap-anywhere">
        {isEntered ? t('as entered') : formula}
      </span>
    </dt>
    <dd className="text-end">{formatMoney(amount)}</dd>
  </div>
)

const Total = ({ name, amount, isQuiet = false }: { name: string; amount: number; isQuiet?: boolean }) => (
  <div
    className={cx(
      'flex justify-between gap-3 py-1.5',
      isQuiet ? 'text-ink-2' : 'border-t border-line font-semibold',
    )}
  >
    <dt>{name}</dt>
    <dd className="text-end">{formatMoney(amount)}</dd>
  </div>
)

/** Shows the profit or loss when one piece is sold. */
function ProfitSummary({
  cost: { profit, margin_percent: margin, markup_percent: markup, missing, sliced_from: slices },
}: {
  cost: ItemCost
}) {
  if (profit === null)
    return <p className="px-4 pt-1 pb-3 text-label text-ink-3">{t('Add a price to see the profit.')}</p>
  const isLoss = profit < 0
  const isComplete = missing.length === 0 && !slices.some((slice) => slice.is_provisional)
  const amount = formatMoney(Math.abs(profit))
  return (
    <div className="mt-1 flex items-baseline justify-between gap-3 border-t border-line px-4 py-2.5">
      <p className="font-semibold">
        {isLoss ? t('Loss per piece') : t('Profit per piece')}
        <span className="block text-caption font-normal text-ink-3">
          {[
            margin === null || !isComplete ? null : t('margin {margin} %', { margin }),
            markup === null || !isComplete ? null : t('markup {markup} %', { markup }),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </p>
      <p className={cx('text-figure font-[580]', isLoss && 'text-red-ink')}>
        {isComplete
          ? amount
          : isLoss
            ? t('at least {text}', { text: amount })
            : t('at most {text}', { text: amount })}
      </p>
    </div>
  )
}
