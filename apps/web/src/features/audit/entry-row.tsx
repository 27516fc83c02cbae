import type { AuditEntry } from '@pegasus/contracts/audit'
import {
  ChevronDown,
  FileText,
  KeyRound,
  LogIn,
  type LucideIcon,
  Printer,
  ReceiptText,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  UserRound,
} from 'lucide-react'
import { useId } from 'react'
import { cx } from '@/lib/class-names.ts'
import { formatTime } from '@/lib/format/format.ts'
import type { AuditFilters } from './audit-address.ts'
import { describeEntry } from './describe-entry.ts'
import { EntryDetails } from './entry-details.tsx'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Maps the subject of an action to an icon. All refusals share one icon. */
const ICONS: ReadonlyMap<string, LucideIcon> = new Map(
  Object.entries({
    session: LogIn,
    account: UserRound,
    profile: UserRound,
    email: UserRound,
    password: UserRound,
    factor: ShieldCheck,
    recovery_codes: ShieldCheck,
    recovery_code: ShieldCheck,
    api_key: KeyRound,
    order: ReceiptText,
    sku: ReceiptText,
    print_job: Printer,
    audit: ScrollText,
    outbox: ScrollText,
  }),
)

interface EntryRowProps {
  entry: AuditEntry
  isOpen: boolean
  onToggle: () => void
  onFilter: (change: Partial<AuditFilters>) => void
}

/** One entry with time, sentence and origin. A click shows further details. */
export function EntryRow({ entry, isOpen, onToggle, onFilter }: EntryRowProps) {
  const detailsId = useId()
  const [about = '', what] = entry.action.split('.')
  const isRefusal = what === 'refused'
  const Icon = isRefusal ? ShieldAlert : (ICONS.get(about) ?? FileText)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={onToggle}
        className="grid min-h-11 w-full grid-cols-[68px_16px_minmax(0,1fr)_minmax(0,auto)_16px] items-center gap-x-3 px-4 py-1.5 text-start -outline-offset-2 hover:bg-hover phone:grid-cols-[16px_minmax(0,1fr)_16px] phone:py-2.5"
      >
        <time dateTime={entry.at} className="whitespace-nowrap text-ink-3 phone:hidden">
          {formatTime(entry.at)}
        </time>
        <Icon
          size={16}
          strokeWidth={1.75}
          className={cx('shrink-0 phone:self-start phone:mt-0.5', isRefusal ? 'text-red' : 'text-ink-3')}
          aria-hidden
        />
        <span className="wrap-anywhere">
          <EntrySentence entry={entry} />
          <span className="mt-0.5 block text-caption text-ink-3 sm:hidden">
            {joinFacts([formatTime(entry.at), entry.ip])}
          </span>
        </span>
        <span className="truncate text-end text-label text-ink-3 phone:hidden">{entry.ip}</span>
        <ChevronDown
          size={16}
          strokeWidth={1.75}
          className={cx('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-180')}
          aria-hidden
        />
      </button>
      {isOpen ? <EntryDetails id={detailsId} entry={entry} onFilter={onFilter} /> : null}
    </>
  )
}

const EntrySentence = ({ entry }: { entry: AuditEntry }) =>
  describeEntry(entry).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <bdi key={`${index} ${piece.name}`} className="font-medium">
        {piece.name}
      </bdi>
    ),
  )
