import type { Order, OrderLine, SetPart } from '@pegasus/contracts/orders/orders'
import { scanCode } from '@pegasus/contracts/labels/scan'
import { useQuery } from '@tanstack/react-query'
import { Check, MapPin, Minus, Plus, ScanQrCode } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { beep } from '@/components/code-scanner/beep.ts'
import { Camera } from '@/components/code-scanner/camera.tsx'
import { useWedge } from '@/components/code-scanner/use-wedge.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { orderLocationsQuery } from '../orders.queries.ts'
import {
  type Pick,
  findPick,
  keepPick,
  stillPicked,
  subtractShipped,
} from '@/components/picking/kept-picks.ts'
import { WindowedRows } from '../dialogs/windowed-rows.tsx'
import {
  type Picked,
  lastShipmentOf,
  leftOf,
  pickable,
  shippedAfter,
  sumOfPicked,
} from '@/components/picking/picked.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

type Line = OrderLine | SetPart

const titleOf = ({ name, sku }: Line): string => name || sku || t('Without a name')

const isSame = (sku: string, text: string): boolean => sku !== '' && sku.toUpperCase() === text.toUpperCase()

interface PickDialogProps {
  order: Order
  onClose: () => void
  /** Called to continue with the shipment of the picked pieces. */
  onPicked: (picked: Picked) => void
}

/**
 * Collects the pieces of an order. Each scan of an item counts one piece. An item that is not in the order is refused
 * with a low tone and a message. Lines without a label are counted by hand. This browser keeps the counts, so that the
 * dialog reopens where it was left.
 */
export function PickDialog({ order, onClose, onPicked }: PickDialogProps) {
  const lines = pickable(order)
  const [kept] = useState(() => findPick(order))
  const [start] = useState<Pick>(() => kept ?? { picked: {}, lastShipment: lastShipmentOf(order) })
  const [pick, setPick] = useState<Pick>(start)
  /** Picked pieces that no longer count, because pieces of their lines were shipped in the meantime. */
  const [removedBefore, setRemovedBefore] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [latest, setLatest] = useState<string | null>(null)
  const finishedIn = (counted: Picked): ReadonlySet<string> =>
    new Set(lines.filter((line) => (counted[line.id] ?? 0) >= leftOf(line)).map(({ id }) => id))
  /**
   * The finished lines at the end of the list. Only a scan moves lines there, because a line must not move away under
   * the finger that counts by hand.
   */
  const [atEnd, setAtEnd] = useState<ReadonlySet<string>>(() => finishedIn(stillPicked(order, start)))
  const [scanned, setScanned] = useState<{ id: string } | null>(null)
  const head = useRef<HTMLDivElement>(null)
  const { data: locations } = useQuery(orderLocationsQuery(order.id))
  const locationByLine = new Map(locations?.map((line) => [line.line_id, line] as const))
  const isPhone = useIsPhone()
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  // The counts are also stored in a ref, so that two scans between two renders are both counted.
  const now = useRef<Pick>(start)
  const countOf = (line: Line): number => stillPicked(order, now.current)[line.id] ?? 0
  const [shippedMeanwhile, setShippedMeanwhile] = useState(0)
  // Another person may have shipped pieces that were picked here.
  const counts = stillPicked(order, pick)
  const total = sumOfPicked(counts)
  const removed = removedBefore + sumOfPicked(pick.picked) - total
  const piecesToPick = lines.reduce((sum, line) => sum + leftOf(line), 0)
  // Pieces that were shipped in the meantime are dropped for good, even if their shipment is undone later.
  if (lastShipmentOf(order) > pick.lastShipment) {
    setShippedMeanwhile(shippedMeanwhile + sumOfPicked(shippedAfter(order, pick.lastShipment)))
    setPick({ picked: counts, lastShipment: lastShipmentOf(order) })
    setRemovedBefore(removed)
  }
  useLayoutEffect(() => {
    if (lastShipmentOf(order) <= now.current.lastShipment) return
    now.current = { picked: stillPicked(order, now.current), lastShipment: lastShipmentOf(order) }
    subtractShipped(order)
  }, [order])

  const latestLine = lines.find(({ id }) => id === latest)
  const sorted = [...lines.filter(({ id }) => !atEnd.has(id)), ...lines.filter(({ id }) => atEnd.has(id))]

  const save = (picked: Picked) => {
    const next = { picked, lastShipment: lastShipmentOf(order) }
    now.current = next
    setPick(next)
    keepPick(order.id, next)
  }
  const set = (line: Line, count: number) => {
    // The counts of all lines are limited to the pieces that are left, so that they fit the order.
    save({ ...stillPicked(order, now.current), [line.id]: Math.min(Math.max(0, count), leftOf(line)) })
    setRemovedBefore(removed)
    setLatest(line.id)
  }
  const startAgain = () => {
    save({})
    setRemovedBefore(0)
    setLatest(null)
    setAtEnd(new Set())
    setProblem(null)
  }
  const refuse = (sentence: string) => {
    beep('refused')
    setProblem(sentence)
  }

  const takeOne = (of: readonly Line[], title: string) => {
    const open = of.find((line) => countOf(line) < leftOf(line))
    if (!open) return refuse(t('All pieces of “{title}” are already picked.', { title }))
    set(open, countOf(open) + 1)
    const finished = new Set(finishedIn(now.current.picked))
    // The counted line stays in place until the next scan, so that people see its count.
    finished.delete(open.id)
    setAtEnd(finished)
    setScanned({ id: open.id })
    beep('found')
  }

  const take = async (text: string): Promise<void> => {
    setProblem(null)
    try {
      const ofSku = lines.filter(({ sku }) => isSame(sku, text))
      const withoutItem = ofSku.filter(({ inventory_item_id: id }) => id === null)
      if (withoutItem.length > 0) return takeOne(withoutItem, text)
      const { found } = await callApi(scanCode, { query: { code: text } })
      // A code that is unknown in the inventory may be the shop's SKU.
      const [first] = ofSku
      if (!found && first) return takeOne(ofSku, titleOf(first))
      if (!found) return refuse(t('No match for the code “{text}”.', { text }))
      const ofItem = found.kind === 'item' ? lines.filter((line) => line.inventory_item_id === found.id) : []
      if (ofItem.length === 0) return refuse(t('“{title}” is not in this order.', { title: found.title }))
      takeOne(ofItem, found.title)
    } catch (error) {
      refuse(errorMessage(error, t('The code could not be looked up. Please scan it again.')))
    }
  }
  const scan = (text: string) => {
    turn.current = turn.current.then(() => take(text))
  }
  useWedge(scan)

  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="md"
      title={t('Pick {order_number}', { order_number: order.order_number })}
      description={t('Scan each piece, or count it by hand.')}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" disabled={total === 0} onClick={() => onPicked(counts)}>
            {total === piecesToPick
              ? t('Ship all')
              : t('Ship {total, plural, one {# piece} other {# pieces}}', { total })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div ref={head} className="sticky top-0 z-10 -mt-1 flex flex-col gap-3 bg-surface pt-1 pb-2">
          {isPhone ? <Camera isSmall={total > 0} onCode={scan} onProblem={refuse} /> : null}
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              const typed = code.trim()
              setCode('')
              if (typed !== '') scan(typed)
            }}
          >
            <Field label={t('Code')} error={problem}>
              <Input
                value={code}
                onChange={({ target }) => setCode(target.value)}
                autoFocus={!isPhone}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                enterKeyHint="go"
                placeholder={t('Scan or type a code or SKU')}
                icon={<ScanQrCode {...ICON} />}
              />
            </Field>
          </form>
          <div className="flex min-h-8 items-center gap-3">
            <div className="min-w-0 flex-1 text-label">
              <p role="status" className="text-ink-2">
                {t('{total} of {wanted, plural, one {# piece} other {# pieces}} picked', {
                  total: formatCount(total),
                  wanted: piecesToPick,
                })}
              </p>
              <p role="status" className="font-medium wrap-anywhere">
                {latestLine ? (
                  <>
                    <bdi>{titleOf(latestLine)}</bdi>: {leftText(latestLine, counts[latestLine.id] ?? 0)}
                  </>
                ) : null}
              </p>
            </div>
            {total > 0 ? (
              <Button variant="ghost" size="sm" onClick={startAgain}>
                {t('Start again')}
              </Button>
            ) : null}
          </div>
        </div>
        {kept?.isDropped && total === 0 ? (
          <AlertBox tone="warning">
            {t('The order has changed since it was last picked. Please start again.')}
          </AlertBox>
        ) : null}
        {shippedMeanwhile > 0 ? (
          <AlertBox tone="warning">
            {t(
              '{shippedMeanwhile, plural, one {# piece} other {# pieces}} of this order {shippedMeanwhile, plural, one {was} other {were}} shipped in the meantime.{removed, plural, =0 {} one { # picked piece is no longer counted. Please check what you have picked.} other { # picked pieces are no longer counted. Please check what you have picked.}}',
              { shippedMeanwhile, removed: Math.max(removed, 0) },
            )}
          </AlertBox>
        ) : null}
        {/* `overflow-clip` keeps the mark of a line inside the round corners. */}
        <WindowedRows
          rows={sorted}
          keyOf={({ id }) => id}
          estimatedHeight={isPhone ? 109 : 61}
          shown={scanned}
          data={locations}
          head={head}
          className="overflow-clip rounded-card border border-line"
        >
          {(line) => (
            <PickedLine
              line={line}
              stored={locationByLine.get(line.id)}
              count={counts[line.id] ?? 0}
              isLatest={line.id === latest}
              onCount={(count) => set(line, count)}
              onCode={scan}
            />
          )}
        </WindowedRows>
      </div>
    </Dialog>
  )
}

/** Returns how many pieces of a line are still to be picked. */
function leftText(line: Line, count: number): string {
  const piecesLeft = leftOf(line) - count
  return piecesLeft === 0 ? t('none left') : t('{left} left', { left: formatCount(piecesLeft) })
}

interface PickedLineProps {
  line: Line
  /** SKU and location of the item in the inventory. */
  stored: { item_sku: string; location: string | null } | undefined
  count: number
  isLatest: boolean
  onCount: (count: number) => void
  onCode: (code: string) => void
}

function PickedLine({ line, stored, count, isLatest, onCount, onCode }: PickedLineProps) {
  const title = titleOf(line)
  const left = leftOf(line)
  const isDone = count === left
  const [typed, setTyped] = useState<string | null>(null)
  const commit = (otherwise: (text: string) => void) => {
    const pieces = typedNumber(typed ?? '')
    setTyped(null)
    if (typed === null || typed.trim() === '') return
    if (pieces !== null && Number.isInteger(pieces) && pieces >= 0 && pieces <= left) onCount(pieces)
    else otherwise(typed.trim())
  }
  return (
    <div
      className={`flex items-center gap-x-3 gap-y-2 px-3 py-2 phone:flex-wrap ${isLatest ? 'bg-accent-soft' : ''}`}
    >
      <PartPicture src={line.stl_thumbnail_path} tint={line.color_hex} className="size-11" />
      <span className="min-w-0 flex-1 phone:basis-[calc(100%-3.5rem)]">
        <bdi className="line-clamp-2 font-medium wrap-anywhere phone:line-clamp-none" title={title}>
          {title}
        </bdi>
        {/* The label on the shelf has the SKU of the inventory, not that of the shop. */}
        <span className="block truncate text-caption text-ink-3 code">{stored?.item_sku ?? line.sku}</span>
        {stored?.location ? (
          <span className="flex items-start gap-1 text-caption text-ink-2">
            <MapPin size={14} strokeWidth={1.75} className="mt-px shrink-0" aria-hidden />
            <bdi className="wrap-anywhere">{stored.location}</bdi>
          </span>
        ) : null}
      </span>
      <span className="ms-auto flex items-center gap-3">
        <IconButton
          size="sm"
          label={t('One fewer of {title}', { title })}
          disabled={count === 0}
          onClick={() => onCount(count - 1)}
        >
          <Minus {...ICON} />
        </IconButton>
        <span className="flex items-center justify-center gap-1.5 text-label font-semibold tabular-nums">
          {isDone ? <Check {...ICON} className="text-green-ink" /> : null}
          <Input
            aria-label={t('Pieces of {title}', { title })}
            inputMode="numeric"
            autoComplete="off"
            className="w-14"
            value={typed ?? String(count)}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => commit(() => {})}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              // A scanner types its code into the focused field, so the field may contain a code.
              commit(onCode)
            }}
          />
          / {formatCount(left)}
        </span>
        <IconButton
          size="sm"
          label={t('One more of {title}', { title })}
          disabled={isDone}
          onClick={() => onCount(count + 1)}
        >
          <Plus {...ICON} />
        </IconButton>
      </span>
    </div>
  )
}
