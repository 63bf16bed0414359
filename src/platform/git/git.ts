/** Runs the git binary as a child process: the engine for transporting and storing code. */

import { type RunningProcess, type StartProcess, startProcess } from '../processes/index.ts';

export interface GitOptions {
  /** Set on top of the process's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal;
  /** Ends the command when it takes longer; two minutes when absent. */
  readonly timeoutMs?: number;
  /** Uses the machine's and the user's configuration, too: credential helpers, `url.insteadOf`, trusted authorities. */
  readonly usesMachineConfiguration?: boolean;
  /** In a process group of its own, so that its children (ssh, HTTP transports) end with it. */
  readonly isOwnGroup?: boolean;
  /** For scripts: further configuration, `name=value`. */
  readonly configuration?: readonly string[];
}

/** git may name each of a hundred thousand files, and the message goes to other servers: it is cut. */
const longestMessage = 4000;

/** git ended with an exit code other than 0, or could not be started. */
export class GitError extends Error {
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode: number | undefined, cause?: unknown) {
    super(
      message.length > longestMessage ? `${message.slice(0, longestMessage)} ...` : message,
      cause === undefined ? {} : { cause },
    );
    this.name = 'GitError';
    this.exitCode = exitCode;
  }
}

/**
 * What the machine's or a user's configuration of git must not change: we store bytes as they are, run
 * no hooks and work as the owner of the files.
 */
const fixedConfiguration: readonly string[] = [
  'core.autocrlf=false',
  'core.hooksPath=/dev/null',
  'core.fsync=loose-object,pack,reference',
  'core.quotePath=false',
  'core.fileMode=true',
  'gc.auto=0',
  'safe.directory=*',
  'advice.detachedHead=false',
  'protocol.version=2',
];

const noMachineConfiguration = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

const defaultTimeoutMs = 120_000;

export class Git {
  private readonly environment: Readonly<Record<string, string | undefined>>;
  private readonly startProcess: StartProcess;

  /**
   * @param environment - what git's processes get as their environment
   * @param start - who starts them; this process itself when absent
   */
  constructor(environment: Readonly<Record<string, string | undefined>>, start: StartProcess = startProcess) {
    this.startProcess = start;
    // Variables for git itself would have the last word over what we configure: GIT_DIR, GIT_SSL_CAINFO ...
    const others = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
    this.environment = {
      ...Object.fromEntries(others),
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    };
  }

  /**
   * Runs one git command to its end.
   *
   * @returns its standard output
   * @throws GitError with what git printed, when it fails
   */
  run(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    return collect(this.spawn(args, options), commandOf(args), options.input ?? '');
  }

  /**
   * Starts a shell script whose git commands have our configuration. To start a process costs a large program like this
   * one milliseconds, and a shell next to nothing: what belongs together is started together.
   *
   * @param text - POSIX shell; the arguments are `$1`, `$2` ...
   */
  script(text: string, args: readonly string[], options: GitOptions = {}): RunningProcess {
    const configuration = [...fixedConfiguration, ...(options.configuration ?? [])].map((entry) => {
      const equals = entry.indexOf('=');
      return [entry.slice(0, equals), entry.slice(equals + 1)] as const;
    });
    // The caller's environment may have some of its own.
    const given = Number(options.environment?.['GIT_CONFIG_COUNT'] ?? 0);
    const variables = configuration.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${given + index}`, key] as const,
      [`GIT_CONFIG_VALUE_${given + index}`, value] as const,
    ]);
    return this.start('sh', ['-c', text, 'sh', ...args], {
      ...options,
      environment: {
        ...options.environment,
        GIT_CONFIG_COUNT: String(given + configuration.length),
        ...Object.fromEntries(variables),
      },
    });
  }

  /**
   * As `script`, to its end.
   *
   * @param name - what messages call it
   * @throws GitError with what it printed, when it fails
   */
  runScript(name: string, text: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    return collect(this.script(text, args, options), name, options.input ?? '');
  }

  /** As `run`, giving text without the last line end. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(args, options)).toString('utf8').trimEnd();
  }

  /** Starts a git command and hands out its streams, for what is too large to hold. */
  spawn(args: readonly string[], options: GitOptions = {}): RunningProcess {
    const configuration = fixedConfiguration.flatMap((entry) => ['-c', entry]);
    return this.start('git', [...configuration, ...args], options);
  }

  private start(command: string, args: readonly string[], options: GitOptions): RunningProcess {
    const { isOwnGroup = false, signal, timeoutMs = defaultTimeoutMs } = options;
    return this.startProcess(command, args, {
      environment: {
        ...this.environment,
        ...(options.usesMachineConfiguration === true ? {} : noMachineConfiguration),
        ...options.environment,
      },
      isOwnGroup,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** Reads what a command prints until it ends. */
async function collect(child: RunningProcess, name: string, input: string | Buffer): Promise<Buffer> {
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  // A command that ends early closes its input; its exit code says what was wrong.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  await endOf(child, name);
  return Buffer.concat(output);
}

/**
 * Waits until a command has succeeded, and reads its error output. Somebody has to read its output.
 *
 * @param name - what messages call it
 * @throws GitError with what it printed, when it fails
 */
export async function endOf(child: RunningProcess, name: string): Promise<void> {
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const { code, signal } = await child.ended.catch((error: unknown) => {
    throw new GitError(`git could not be started: ${(error as Error).message}`, undefined, error);
  });
  if (code === 0) return;
  const text = Buffer.concat(errors).toString('utf8').trim();
  const how = code === null ? `was ended by ${signal}` : `failed with exit code ${code}`;
  throw new GitError(`git ${name} ${how}: ${text}`, code ?? undefined);
}

/** The command's name: what is neither an option nor the value of one. */
function commandOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}
