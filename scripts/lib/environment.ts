// The variables that a step of the checks inherits. Other variables of the caller's environment (PORT,
// DATA_DIR, DATABASE_URL, NODE_ENV …) would change the tested configuration.
const INHERITED = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LANGUAGE|LC_.*|TMPDIR|TEMP|TMP|CI)$/i,
  /^(SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES.*)$/i,
  /^(NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy|npm_config_registry)$/i,
  /^(PLAYWRIGHT_|PEGASUS_|FUZZ_)/,
]

/** Returns the caller's variables that are in the list above, plus `extra`. */
export function cleanEnvironment(
  extra: Record<string, string> = {},
  from = process.env,
): Record<string, string> {
  const kept = Object.entries(from).filter(([name]) => INHERITED.some((pattern) => pattern.test(name)))
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...extra }
}
