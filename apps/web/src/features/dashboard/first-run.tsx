import type { Stats } from '@pegasus/contracts/stats'
import { Check, PackageOpen, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { cx } from '@/lib/class-names.ts'
import { t } from '@/lib/i18n/messages.ts'

interface FirstRunProps {
  stats: Stats
  /** Address of the upload dialog; null for people who may not upload. */
  uploadAddress: string | null
  libraryAddress: string
  /** Addresses for managing keys and accounts; null for people who cannot do that. */
  adminAddresses: { keys: string; people: string } | null
  /** Addresses for adding spools, items and printers; null for people who cannot do that. */
  stockAddresses: { filament: string; item: string; printers: string } | null
  hasPrinters: boolean
  /** Offers a look around in a demo; null for people who may not make one. */
  demoOffer: ReactNode
}

interface Step {
  title: string
  text: string
  isDone: boolean
  action: ReactNode
}

/** Shown in an empty shop. It lists the next steps that the person may take. */
export function FirstRun({ uploadAddress, demoOffer, ...rest }: FirstRunProps) {
  if (!uploadAddress) return <NothingYet />
  const steps = stepsOf({ uploadAddress, ...rest })
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Card title={t('Set up your shop')}>
      <ol
        className={cx(
          'grid divide-line max-lg:divide-y lg:divide-x',
          steps.length > 1 && 'lg:grid-cols-2 xl:grid-cols-5',
        )}
      >
        {steps.map(({ title, text, isDone, action }, index) => (
          <li key={title} className="flex gap-3 p-4" aria-current={index === current ? 'step' : undefined}>
            <StepMark number={index + 1} isDone={isDone} isCurrent={index === current} />
            <div className="min-w-0">
              <h3 className="leading-[22px] font-semibold">{title}</h3>
              <p className="mt-0.5 mb-3 max-w-[52ch] text-label text-ink-2">{text}</p>
              {action}
            </div>
          </li>
        ))}
      </ol>
      {demoOffer ? <div className="border-t border-line p-4">{demoOffer}</div> : null}
    </Card>
  )
}

function stepsOf({
  stats,
  uploadAddress,
  libraryAddress,
  adminAddresses,
  stockAddresses,
  hasPrinters,
}: Omit<FirstRunProps, 'demoOffer'> & { uploadAddress: string }): Step[] {
  const hasModels = stats.total_files > 0
  const upload: Step = {
    title: t('Upload a model'),
    text: t('The library measures it, draws its picture and warns about problems for printing.'),
    isDone: hasModels,
    action: hasModels ? (
      <StepLink to={libraryAddress}>{t('Open library')}</StepLink>
    ) : (
      <Link to={uploadAddress} className={buttonClass({ variant: 'primary' })}>
        <Upload size={16} strokeWidth={1.75} aria-hidden />
        {t('Upload STL')}
      </Link>
    ),
  }
  const stock: Step[] = stockAddresses
    ? [
        {
          title: t('Add a spool'),
          text: t(
            'Weigh it once. Each print then reduces the weight, and a warning appears before the spool runs out.',
          ),
          isDone: stats.total_filaments > 0,
          action: <StepLink to={stockAddresses.filament}>{t('Open filament')}</StepLink>,
        },
        {
          title: t('Add an item'),
          text: t('A part that you keep in stock, with its location, its price and its reorder point.'),
          isDone: stats.total_inventory > 0,
          action: <StepLink to={stockAddresses.item}>{t('Add an item')}</StepLink>,
        },
        {
          title: t('Add a printer'),
          text: t('The print queue then says which printer fits a job, and plans the day.'),
          isDone: hasPrinters,
          action: <StepLink to={stockAddresses.printers}>{t('Open printers')}</StepLink>,
        },
      ]
    : []
  const shop: Step[] = adminAddresses
    ? [
        {
          title: t('Connect your shop'),
          text: t('It connects with an API key that can only send orders, and read stock and products.'),
          isDone: stats.total_orders > 0,
          action: (
            <>
              <StepLink to={adminAddresses.keys}>{t('Create an API key')}</StepLink>
              <span className="text-label text-ink-3"> · </span>
              <StepLink to={adminAddresses.people}>{t('Add people')}</StepLink>
            </>
          ),
        },
      ]
    : []
  return [upload, ...stock, ...shop]
}

const NothingYet = () => (
  <Card className="p-4">
    <EmptyState
      icon={<PackageOpen size={28} strokeWidth={1.4} aria-hidden />}
      title={t('Nothing here yet')}
      titleLevel={2}
    >
      {t(
        'Once there are models, stock and orders, this page shows their state. Your account can view everything, but cannot add anything.',
      )}
    </EmptyState>
  </Card>
)

const StepLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="link text-label">
    {children}
  </Link>
)

const StepMark = ({ number, isDone, isCurrent }: { number: number; isDone: boolean; isCurrent: boolean }) => (
  <span
    className={cx(
      'grid size-[22px] shrink-0 place-items-center rounded-full text-caption font-semibold',
      isDone && 'bg-accent-soft text-accent-ink',
      !isDone && isCurrent && 'bg-accent text-on-accent',
      !isDone && !isCurrent && 'text-ink-2 shadow-[inset_0_0_0_1.5px_var(--line-2)]',
    )}
  >
    {isDone ? <Check size={13} strokeWidth={2.5} role="img" aria-label={t('Done')} /> : number}
  </span>
)
