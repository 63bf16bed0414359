/** A float as Ruby's `Float#to_s` prints it: `1.0`, `1.0e+20`, `1.0e-05`, `NaN`, `Infinity`. */
export function rubyFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '0', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Sixteen digits before the point are written only when one follows it.
  const hasFraction = mantissa.replace(/[-.]/g, '').length > exponent + 1;
  if (exponent < -4 || (exponent >= 15 && !hasFraction)) {
    const digits = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return positional(mantissa, exponent);
}

function positional(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}.${fraction === '' ? '0' : fraction}`;
}
