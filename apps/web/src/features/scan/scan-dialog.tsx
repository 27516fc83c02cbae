import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { Scanned } from '@pegasus/contracts/labels/scan'
import { ScanQrCode } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/actions/button.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { Camera } from '../../components/code-scanner/camera.tsx'
import { FoundCard } from './found-card.tsx'
import type { OrderDialogStep } from './order-actions.tsx'
import { type EachScan, type RecentAction, type Scan, useScan } from './use-scan.ts'
import { useWedge } from '../../components/code-scanner/use-wedge.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ScanDialogProps {
  onClose: () => void
  /** The code that was scanned before the dialog opened. */
  firstCode?: string | null
  /** Returns the address that shows a scanned object. */
  addressOf: (found: Scanned) => string
  /** Returns the address that queues a print of an item. */
  printAddress: (of: { itemId: string; quantity: number }) => string
  /** Returns the address of an order's page with the dialog of one step open, such as the dialog for packing. */
  orderStepAddress: (id: string, step: OrderDialogStep) => string
}

const EACH_SCAN: Readonly<Record<EachScan, string>> = {
  show: t('Shows it'),
  take: t('Takes 1'),
  put: t('Adds 1'),
}

/** Looks up codes from the camera, a scanner or the keyboard. Offers the possible actions for the found object. */
export function ScanDialog({
  onClose,
  firstCode = null,
  addressOf,
  printAddress,
  orderStepAddress,
}: ScanDialogProps) {
  const scan = useScan()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const scanCode = (text: string) => {
    setError(null)
    void scan.scan(text)
  }
  const scanFirst = useEffectEvent(() => {
    if (firstCode !== null) scanCode(firstCode)
  })
  useEffect(() => {
    // The timeout ensures that the first code is scanned once, even if React runs this effect twice.
    const timer = setTimeout(scanFirst)
    return () => clearTimeout(timer)
  }, [firstCode])
  useWedge(scanCode)

  const submit = async () => {
    const typed = code.trim()
    if (typed === '') return setError(t('Scan or type a code first.'))
    setError(null)
    // The field is cleared immediately, because a scanner may type the next code right away.
    setCode('')
    if (await scan.scan(typed)) return
    // Select an unknown code, so that typing replaces it.
    if (input.current?.value !== '') return
    flushSync(() => setCode(typed))
    input.current.select()
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="md"
      title={t('Scan')}
      description={t(
        'Point the camera at a label, use a handheld scanner, or type a code, a SKU, an order number or the title of a model.',
      )}
    >
      <div className="flex flex-col gap-4">
        <Camera isSmall={scan.found !== null} onCode={scanCode} onProblem={scan.reportProblem} />
        <form
          noValidate
          className="flex items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Field label={t('Code')} error={error ?? scan.problem} className="flex-1">
            <Input
              ref={input}
              value={code}
              onChange={(event) => {
                setCode(event.target.value)
                setError(null)
              }}
              // On a phone, the keyboard would cover the camera picture.
              autoFocus={!isPhone}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="go"
              placeholder={t('Scan or type a code')}
              icon={<ScanQrCode size={16} strokeWidth={1.75} aria-hidden />}
            />
          </Field>
          <Button type="submit" variant="primary" isPending={scan.isBusy} className="mt-[23px]">
            {t('Find')}
          </Button>
        </form>
        <NextScanNote scan={scan} />
        {scan.doubtful ? <LoadQuestion scan={scan} load={scan.doubtful} /> : null}
        {scan.found ? (
          <FoundCard
            found={scan.found}
            scan={scan}
            address={addressOf(scan.found)}
            printAddress={printAddress}
            orderStepAddress={orderStepAddress}
            onLeave={onClose}
          />
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
            <span className="text-label font-medium">{t('Each scan of an item')}</span>
            <SegmentedControl
              label={t('Each scan of an item')}
              value={scan.eachScan}
              options={EACH_SCAN}
              onChange={scan.setEachScan}
            />
          </div>
        ) : null}
        {scan.actions.length > 0 ? <LastScans scan={scan} /> : null}
      </div>
    </Dialog>
  )
}

/** A note about the effect of the next scan. */
function NextScanNote({ scan }: { scan: Scan }) {
  const text = scan.moving
    ? t('Scan the location to which “{title}” is moved, or type its name.', { title: scan.moving.title })
    : scan.target
      ? t('Everything you scan now is moved to “{title}”.', { title: scan.target.title })
      : scan.loading
        ? scan.loading.kind === 'spool'
          ? t('Scan the printer that gets {code}.', { code: scan.loading.code })
          : t('Scan the spool to load on “{title}”.', { title: scan.loading.title })
        : null
  if (!text) return null
  return (
    <p
      role="status"
      className="flex items-center gap-3 rounded-control bg-accent-soft px-3 py-2 text-label text-accent-ink"
    >
      <span className="flex-1 wrap-anywhere">{text}</span>
      <Button
        size="sm"
        onClick={() => {
          scan.setMoving(null)
          scan.setTarget(null)
          scan.setLoading(null)
        }}
      >
        {t('Stop')}
      </Button>
    </p>
  )
}

/** Asks before a spool is loaded that does not fit the running print. */
const LoadQuestion = ({ scan, load }: { scan: Scan; load: NonNullable<Scan['doubtful']> }) => (
  <AlertBox tone="warning" title={load.warning}>
    <span className="mt-2 flex gap-2">
      <Button size="sm" onClick={() => scan.setDoubtful(null)}>
        {t('Do not load')}
      </Button>
      <Button size="sm" variant="danger" disabled={scan.isBusy} onClick={() => void scan.loadAnyway(load)}>
        {t('Load anyway')}
      </Button>
    </span>
  </AlertBox>
)

const LastScans = ({ scan }: { scan: Scan }) => (
  <section aria-label={t('Last scans')} className="border-t border-line pt-3">
    <h3 className="mb-1 text-label text-ink-3">{t('Last scans')}</h3>
    <ul>
      {scan.actions.map((action) => (
        <LastScan
          key={action.id}
          action={action}
          isBusy={scan.isBusy}
          onUndo={() => void scan.undo(action)}
        />
      ))}
    </ul>
  </section>
)

const LastScan = ({
  action,
  isBusy,
  onUndo,
}: {
  action: RecentAction
  isBusy: boolean
  onUndo: () => void
}) => (
  <li className="flex min-h-11 items-center gap-3 py-1">
    <PartPicture src={action.found.thumbnail_path} tint={action.found.color_hex} className="size-9" />
    <span className="min-w-0 flex-1">
      <bdi className="block truncate">{action.found.title}</bdi>
      <span className="block text-label text-ink-3">
        {action.isUndone ? t('{what}, undone', { what: action.what }) : action.what}
      </span>
    </span>
    {action.undo && !action.isUndone ? (
      <Button
        variant="ghost"
        size="sm"
        disabled={isBusy}
        aria-label={t('Undo: {title}, {what}', { title: action.found.title, what: action.what })}
        onClick={onUndo}
      >
        {t('Undo')}
      </Button>
    ) : null}
  </li>
)
