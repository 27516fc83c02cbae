import type { Scanned, ScannedOf } from '@pegasus/contracts/labels/scan'
import { isLowStock } from '@pegasus/contracts/inventory/item-status'
import { ArrowUpRight, MapPin, Printer, QrCode, Spool } from 'lucide-react'
import { Link } from 'react-router'
import { STATE_DISPLAY } from '@/components/production/printer-states.ts'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { cx } from '@/lib/class-names.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { CountedPieces } from './counted-pieces.tsx'
import { ItemActions } from './item-actions.tsx'
import { JobActions } from './job-actions.tsx'
import { OrderActions, type OrderDialogStep } from './order-actions.tsx'
import { SpoolActions } from './spool-actions.tsx'
import type { Scan } from './use-scan.ts'
import { PRINTER_STEPS, type PrinterStep, clearCounted, stepPrinter } from './scan-mutations.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const STEPS = Object.keys(PRINTER_STEPS) as PrinterStep[]

/**
 * Returns the props of a button that selects the found object for the next scan. Another click cancels the
 * selection.
 */
function toggleProps<Found extends Scanned>(
  found: Found,
  chosen: Scanned | null,
  choose: (next: Found | null) => void,
) {
  const isChosen = chosen?.id === found.id
  return { 'aria-pressed': isChosen, onClick: () => choose(isChosen ? null : found) }
}

/**
 * The actions for a scanned printer: count the pieces and clear the plate, load the spool that is scanned next,
 * maintenance.
 */
function PrinterActions({ printer, scan }: { printer: ScannedOf<'printer'>; scan: Scan }) {
  const { actions, facts } = printer
  const plate = actions.includes('clear') ? facts.plate : null
  // The note of the plate is already shown above its counts.
  const reason = plate && facts.state_reason === plate.note ? null : facts.state_reason
  return (
    <>
      <p className="text-label text-ink-2">
        {joinFacts([STATE_DISPLAY[facts.state].label, facts.job_code, serverText(reason ?? '')])}
        {facts.loaded_spools.length === 0 ? (
          <span className="block text-ink-3">{t('No filament loaded')}</span>
        ) : null}
      </p>
      {facts.loaded_spools.length > 0 ? (
        <ul aria-label={t('Filament')} className="flex flex-wrap gap-x-3 gap-y-1 text-label text-ink-2">
          {facts.loaded_spools.map(({ code, material, color, color_hex: hex }) => (
            <li key={code} className="flex items-center gap-1.5">
              <ColorDot hex={hex} />
              <bdi>{[material, color].filter(Boolean).join(' ')}</bdi>
              <span className="code text-ink-3">{code}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {plate ? (
        <CountedPieces
          key={plate.id}
          pieces={plate.pieces}
          note={plate.note}
          verb={PRINTER_STEPS.clear.label}
          isBusy={scan.isBusy}
          onCount={(counts) => void scan.act(() => clearCounted(printer, counts))}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {STEPS.filter((step) => actions.includes(step) && !(step === 'clear' && plate)).map((step) => (
          <Button
            key={step}
            variant={step === 'clear' ? 'primary' : 'secondary'}
            disabled={scan.isBusy}
            onClick={() => void scan.act(() => stepPrinter(printer, step))}
          >
            {PRINTER_STEPS[step].label}
          </Button>
        ))}
        {actions.includes('load') ? (
          <Button
            icon={<Spool size={16} strokeWidth={1.75} aria-hidden />}
            {...toggleProps(printer, scan.loading, scan.setLoading)}
          >
            {t('Load a spool')}
          </Button>
        ) : null}
      </div>
    </>
  )
}

/** Returns one or two lines to show below the name. */
function linesOf(found: Scanned): (string | null)[] {
  switch (found.kind) {
    case 'item':
      return [found.facts.sku, found.facts.location]
    case 'location':
      return [found.facts.path === found.title ? null : found.facts.path]
    case 'spool':
      return [joinFacts([found.facts.material, found.facts.color]), found.facts.location]
    case 'print_job':
      return []
    case 'order':
      return [found.facts.customer_name]
    case 'model':
      return [found.facts.license_type]
    case 'printer':
      return [found.facts.model, found.facts.location]
  }
}

interface FoundCardProps {
  found: Scanned
  scan: Scan
  address: string
  /** Returns the address that queues a print of an item. */
  printAddress: (of: { itemId: string; quantity: number }) => string
  orderStepAddress: (id: string, step: OrderDialogStep) => string
  onLeave: () => void
}

/**
 * Returns the number of pieces of an item to print now, and the address that queues them; null if there are
 * none, or if the person may not queue prints.
 */
function findPrintMore(found: Scanned, printAddress: FoundCardProps['printAddress']) {
  if (found.kind !== 'item' || !found.actions.includes('put') || !isLowStock(found.facts)) return null
  const pieces = found.facts.max_stock - found.facts.quantity
  return pieces > 0 ? { pieces, address: printAddress({ itemId: found.id, quantity: pieces }) } : null
}

/** Shows the scanned object, with its picture and the actions that are possible now. */
export function FoundCard({ found, scan, address, printAddress, orderStepAddress, onLeave }: FoundCardProps) {
  const printMore = findPrintMore(found, printAddress)
  const [first, second] = linesOf(found)
  return (
    <section aria-label={t('Found')} className="flex flex-col gap-3">
      <div className="flex items-start gap-4">
        {found.kind === 'location' || found.kind === 'order' || found.kind === 'printer' ? null : (
          <PartPicture src={found.thumbnail_path} tint={found.color_hex} className="size-20 phone:size-24" />
        )}
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold wrap-anywhere">
            <bdi>{found.title}</bdi>
          </h3>
          <p className="code text-label text-ink-3">{found.code}</p>
          {first ? <p className="text-label text-ink-2 wrap-anywhere">{first}</p> : null}
          {second ? (
            <p className="flex items-center gap-1 text-label text-ink-2">
              <MapPin size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
              <bdi className="truncate">{second}</bdi>
            </p>
          ) : null}
        </div>
      </div>
      {/* The key remounts the actions for each object, so that an amount typed for one object is not booked on
          the next. */}
      <Actions
        key={found.id}
        found={found}
        scan={scan}
        orderStepAddress={orderStepAddress}
        onLeave={onLeave}
      />
      {/* On a phone, the actions share two even columns. */}
      <div className="flex flex-wrap gap-2 phone:grid phone:grid-cols-2">
        {printMore ? (
          <Link to={printMore.address} className={cx(buttonClass(), 'phone:col-span-2')} onClick={onLeave}>
            <Printer {...ICON} />
            {t('Print {pieces} more', { pieces: formatCount(printMore.pieces) })}
          </Link>
        ) : null}
        {found.kind === 'item' || found.kind === 'spool' ? (
          found.actions.includes('move') ? (
            <Button icon={<MapPin {...ICON} />} {...toggleProps(found, scan.moving, scan.setMoving)}>
              {t('Move')}
            </Button>
          ) : null
        ) : null}
        {found.kind === 'spool' && found.actions.includes('load') ? (
          <Button icon={<Spool {...ICON} />} {...toggleProps(found, scan.loading, scan.setLoading)}>
            {t('Load')}
          </Button>
        ) : null}
        <Button icon={<QrCode {...ICON} />} onClick={() => printLabels([{ kind: found.kind, id: found.id }])}>
          {t('Label')}
        </Button>
        <Link to={address} className={buttonClass()} onClick={onLeave}>
          <ArrowUpRight {...ICON} />
          {t('Open')}
        </Link>
      </div>
    </section>
  )
}

function Actions({
  found,
  scan,
  orderStepAddress,
  onLeave,
}: Pick<FoundCardProps, 'found' | 'scan' | 'orderStepAddress' | 'onLeave'>) {
  switch (found.kind) {
    case 'item':
      return <ItemActions item={found} scan={scan} />
    case 'spool':
      return <SpoolActions spool={found} scan={scan} />
    case 'print_job':
      return <JobActions job={found} scan={scan} />
    case 'order':
      return (
        <OrderActions
          order={found}
          scan={scan}
          addressOf={(step) => orderStepAddress(found.id, step)}
          onLeave={onLeave}
        />
      )
    case 'location':
      return (
        <div className="flex flex-wrap items-center gap-3">
          <p className="flex-1 text-label text-ink-2">
            {t(
              '{items, plural, one {# item} other {# items}} · {spools, plural, one {# spool} other {# spools}}',
              { items: found.facts.items, spools: found.facts.spools },
            )}
          </p>
          {found.actions.includes('move_here') ? (
            <Button
              variant="primary"
              icon={<MapPin {...ICON} />}
              aria-pressed={scan.target?.id === found.id}
              onClick={() => scan.setTarget(scan.target?.id === found.id ? null : found)}
            >
              {t('Move here')}
            </Button>
          ) : null}
        </div>
      )
    case 'model':
      return null
    case 'printer':
      return <PrinterActions printer={found} scan={scan} />
  }
}
