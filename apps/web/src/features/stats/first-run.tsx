import type { Stats } from '@pegasus/contracts/stats'
import { Check, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/ui/button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { cx } from '@/lib/class-names.ts'

interface Step {
  title: string
  text: string
  isDone: (stats: Stats) => boolean
}

const STEPS: readonly Step[] = [
  {
    title: 'Upload a model',
    text: 'The library measures it, draws its picture and warns of what would not print.',
    isDone: ({ total_files }) => total_files > 0,
  },
  {
    title: 'Keep stock of what you print',
    text: 'Each item shows its stock against its reorder point, and what is low stands on this page.',
    isDone: ({ total_inventory }) => total_inventory > 0,
  },
  {
    title: 'Take orders and print them',
    text: 'Orders come from the main site; print jobs wait in the queue with the filament they need.',
    isDone: ({ total_orders, print_queue_count }) => total_orders > 0 || print_queue_count > 0,
  },
]

interface FirstRunProps {
  stats: Stats
  /** Null for people who may not upload. */
  uploadAddress: string | null
  libraryAddress: string
}

/** An empty shop: what to do next, and what for. */
export function FirstRun({ stats, uploadAddress, libraryAddress }: FirstRunProps) {
  const current = STEPS.findIndex(({ isDone }) => !isDone(stats))
  return (
    <Card title={uploadAddress ? 'Set up your shop' : 'Nothing here yet'}>
      <ol className="grid lg:grid-cols-3 lg:divide-x max-lg:divide-y divide-line">
        {STEPS.map(({ title, text, isDone }, index) => (
          <li key={title} className="flex gap-3 p-4" aria-current={index === current ? 'step' : undefined}>
            <StepMark number={index + 1} isDone={isDone(stats)} isCurrent={index === current} />
            <div className="min-w-0">
              <h3 className="leading-[22px] font-semibold">{title}</h3>
              <p className="mt-0.5 max-w-[52ch] text-label text-ink-2">{text}</p>
              {index === 0 ? (
                <FirstAction stats={stats} uploadAddress={uploadAddress} libraryAddress={libraryAddress} />
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function FirstAction({ stats, uploadAddress, libraryAddress }: FirstRunProps) {
  const isFirst = stats.total_files === 0
  if (!isFirst)
    return (
      <Link to={libraryAddress} className="link mt-2.5 inline-block text-label">
        Open library
      </Link>
    )
  if (!uploadAddress)
    return <p className="mt-2.5 text-label text-ink-3">Your account can look, but not add anything.</p>
  return (
    <Link to={uploadAddress} className={cx(buttonClass({ variant: 'primary' }), 'mt-3')}>
      <Upload size={16} strokeWidth={1.75} aria-hidden />
      Upload STL
    </Link>
  )
}

const StepMark = ({ number, isDone, isCurrent }: { number: number; isDone: boolean; isCurrent: boolean }) => (
  <span
    className={cx(
      'grid size-[22px] shrink-0 place-items-center rounded-full text-caption font-semibold',
      isDone && 'bg-accent-soft text-accent-ink',
      !isDone && isCurrent && 'bg-accent text-on-accent',
      !isDone && !isCurrent && 'text-ink-2 shadow-[inset_0_0_0_1.5px_var(--line-2)]',
    )}
  >
    {isDone ? <Check size={13} strokeWidth={2.5} role="img" aria-label="Done" /> : number}
  </span>
)
