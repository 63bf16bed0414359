import { expect, test } from 'vitest';
import { printfExponent, printfFixed, printfGeneral, printfHexadecimal } from './printf-float.ts';

// All expected texts were printed by C's printf through Ruby 3.1.
test('fixed notation is exact and rounds halves to even', () => {
  const texts = [
    printfFixed(0.5, 0),
    printfFixed(2.5, 0),
    printfFixed(1.005, 2),
    printfFixed(1e22, 1),
    printfFixed(0.1, 30),
  ];

  expect(texts).toEqual(['0', '2', '1.00', '10000000000000000000000.0', '0.100000000000000005551115123126']);
});

test('exponents have two digits at least', () => {
  const texts = [
    printfExponent(12345.678, 6),
    printfExponent(0, 2),
    printfExponent(9.99e99, 1),
    printfExponent(2.5, 0),
  ];

  expect(texts).toEqual(['1.234568e+04', '0.00e+00', '1.0e+100', '2e+00']);
});

test('the general notation picks the shorter form and drops zeros', () => {
  const texts = [100000, 1000000, 0.0001, 0.00001, 1.5].map((value) => printfGeneral(value, 6));

  expect(texts).toEqual(['100000', '1e+06', '0.0001', '1e-05', '1.5']);
});

test('hexadecimal floats have no superfluous digits', () => {
  const texts = [
    printfHexadecimal(1, undefined),
    printfHexadecimal(0.1, undefined),
    printfHexadecimal(0.1, 2),
  ];

  expect(texts).toEqual(['0x1p+0', '0x1.999999999999ap-4', '0x1.9ap-4']);
});

test('what floating-point arithmetic takes for a half is rounded to even, as Ruby does it', () => {
  const texts = [
    printfFixed(2.675, 2),
    printfFixed(0.0665, 3),
    printfFixed(99999.95, 1),
    printfExponent(9.95, 1),
    printfGeneral(8105, 3),
    printfGeneral(0.255205, 5),
  ];

  expect(texts).toEqual(['2.68', '0.066', '100000.0', '1.0e+01', '8.10e+03', '0.25520']);
});
