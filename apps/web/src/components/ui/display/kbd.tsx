/** Shows a keyboard key next to the action that it triggers. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="rounded-badge border border-line-2 bg-surface px-[5px] font-sans text-[0.6875rem] leading-[1.125rem] font-medium text-ink-3">
      {children}
    </kbd>
  )
}
