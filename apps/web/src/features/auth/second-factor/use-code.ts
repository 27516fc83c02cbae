import { useRef, useState } from 'react'

interface CodeOptions {
  /** Checks the code. The field shows the error if this rejects. */
  onCheck: (code: string) => Promise<void>
  describeError: (error: unknown) => string
  /** The message for an empty or incomplete code. */
  incomplete: string
  minLength: number
}

/** The state of a field for a code or password, from typing to the server's result. */
export function useCode({ onCheck, describeError, incomplete, minLength }: CodeOptions) {
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // The last digit submits the code. An Enter right after it must not submit the code again.
  const isBusy = useRef(false)

  function showMessage(sentence: string): void {
    setFailure(sentence)
    // The refused code is selected, so that typing replaces it.
    input.current?.select()
  }

  async function submit(given: string): Promise<void> {
    if (isBusy.current) return
    if (given.length < minLength) return showMessage(incomplete)
    setFailure(null)
    isBusy.current = true
    setIsPending(true)
    try {
      await onCheck(given)
    } catch (error) {
      showMessage(describeError(error))
    }
    isBusy.current = false
    setIsPending(false)
  }

  return {
    failure,
    isPending,
    submit: () => void submit(code),
    reset: () => {
      setCode('')
      setFailure(null)
    },
    field: {
      ref: input,
      value: code,
      onChange: (text: string) => {
        if (!isPending) setCode(text)
      },
      onComplete: (text: string) => void submit(text),
    },
  }
}
