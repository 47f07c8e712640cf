.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 27
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -6
    const/16 v10, 251
    const/16 v11, 174
    const/16 v12, 12
    const/16 v13, -272
    const/16 v14, -159
    const/16 v15, 283
    const/16 v16, 182
    const/16 v17, -204
    const/16 v18, 80
    const/16 v19, -115
    const/16 v20, -16
    const/16 v21, 279
    const/16 v22, -38
    :b0
    add-int/lit8 v4, v3, 23
    const v1, -1919944548
    move/16 v14, v21
    return v2
    :b1
    move/16 v18, v1
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v3
    if-lt v1, v1, :fuel1
    :b2
    goto :b4
    :b3
    and-int/lit8 v2, v4, 1
    if-gt v2, v1, :b15
    :b4
    mul-int/lit8 v3, v10, 25
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v4, v5
    and-int/lit8 v8, v4, 3
    rem-int v4, v21, v8
    const v11, -1977727899
    if-lt v1, v1, :b17
    :b5
    shl-int/lit8 v4, v1, 30
    and-int v1, v22, v22
    return v4
    :b6
    ushr-int v2, v21, v12
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 15
    aput v15, v7, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v22, 7
    aput v20, v7, v8
    and-int/lit8 v8, v1, 3
    div-int v13, v1, v8
    :b7
    const v2, -1036931773
    add-int/2addr v3, v1
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    if-ge v4, v4, :b9
    :b8
    xor-int/2addr v2, v2
    mul-int/lit8 v12, v21, 114
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    if-le v2, v1, :b13
    :b9
    and-int/lit8 v8, v1, 3
    div-int v1, v14, v8
    if-lez v1, :fuel2
    :b10
    sub-int v4, v3, v3
    const v18, 731549144
    if-ge v2, v2, :b17
    :b11
    mul-int v4, v22, v19
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    const v10, 207582073
    and-int/lit8 v8, v2, 3
    rem-int v1, v2, v8
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed3
    :b12
    :t0_start
    if-lt v3, v3, :fuel4
    nop
    :t0_end
    :b13
    if-le v1, v4, :b14
    :b14
    and-int/lit8 v8, v1, 3
    rem-int v3, v21, v8
    or-int v9, v9, v1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s1(LCtx;III)I
    move-result v4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LS;->s0(LCtx;III)I
    move-result v3
    :b15
    shr-int v1, v2, v1
    sub-int v4, v17, v17
    ushr-int v13, v22, v1
    and-int/lit8 v8, v2, 31
    packed-switch v8, :packed5
    :b16
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v1}, LU0;->m1(LCtx;III)I
    move-result v9
    rem-int/lit16 v2, v1, 1983
    if-eq v1, v2, :fuel7
    :b17
    if-le v4, v2, :fuel8
    :b18
    mul-int/2addr v4, v1
    and-int/lit8 v8, v17, 31
    packed-switch v8, :packed9
    :b19
    and-int/lit8 v8, v21, 3
    rem-int v3, v4, v8
    and-int v13, v1, v4
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse11
    goto/32 :exit
    .catch Ljava/lang/RuntimeException; {:t0_start .. :t0_end} :fuel16
    .catch Ljava/lang/NullPointerException; {:t0_start .. :t0_end} :handler18
    .catchall {:t0_start .. :t0_end} :handler20
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b15
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b16
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :fuel16
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b17
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler18
    move-exception v7
    goto/32 :fuel17
    :fuel19
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b17
    :handler20
    move-exception v7
    goto/32 :fuel19
    :exit
    return v1
    :packed3
    .packed-switch 9
    .end packed-switch
    :packed5
    .packed-switch 9
    .end packed-switch
    :packed9
    .packed-switch 13
    .end packed-switch
    :sparse11
    .sparse-switch
        -32 -> :fuel14
        -28 -> :fuel12
        -6 -> :fuel13
        21 -> :fuel12
        90 -> :fuel14
        130 -> :fuel14
        237 -> :fuel12
        306 -> :fuel12
        318 -> :fuel14
        474 -> :fuel15
        489 -> :fuel13
        491 -> :fuel14
        549 -> :fuel12
        564 -> :fuel15
        578 -> :fuel13
        595 -> :fuel14
        630 -> :fuel13
        636 -> :fuel14
        667 -> :fuel13
        711 -> :fuel14
        731 -> :fuel13
        769 -> :fuel12
        798 -> :fuel12
        891 -> :fuel15
        904 -> :fuel12
        975 -> :fuel13
        991 -> :fuel14
        1011 -> :fuel12
        1029 -> :fuel14
        1093 -> :fuel14
    .end sparse-switch
.end method

.method public static s1(LCtx;III)I
    .registers 16
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -143
    const/16 v10, 161
    const/16 v11, 156
    :b0
    and-int v9, v1, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed1
    :b1
    rem-int/lit16 v1, v4, 631
    or-int v3, v2, v3
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v3
    if-eq v2, v1, :b4
    :b2
    xor-int v1, v2, v2
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    if-eq v2, v4, :fuel3
    :b3
    goto/16 :b4
    :b4
    return v3
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :exit
    return v1
    :packed1
    .packed-switch 16
        :b4
        :b2
        :fuel2
    .end packed-switch
.end method

.method public static s2(LCtx;III)I
    .registers 19
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -201
    const/16 v10, 293
    const/16 v11, 281
    const/16 v12, 280
    const/16 v13, 156
    const/16 v14, -275
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    if-gt v4, v3, :b10
    :b1
    and-int/lit8 v8, v11, 3
    div-int v1, v9, v8
    const v4, -1280977468
    if-gez v3, :b12
    :b2
    move/16 v9, v13
    const v3, 1073252573
    and-int v14, v2, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-ge v2, v4, :b15
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move/16 v13, v14
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LU1;->m0(LCtx;III)I
    mul-int v2, v3, v4
    :b4
    :t0_start
    and-int v3, v4, v3
    move/16 v10, v1
    if-eqz v13, :fuel1
    :b5
    if-lt v3, v1, :fuel2
    :b6
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s4(LCtx;III)I
    move-result v1
    move/16 v12, v3
    if-le v4, v4, :b11
    :b7
    and-int v3, v1, v3
    rem-int/lit16 v2, v2, 1015
    and-int v14, v1, v9
    if-le v4, v3, :fuel3
    :b8
    if-eq v2, v3, :fuel4
    nop
    :t0_end
    :b9
    goto :b14
    :b10
    move/16 v12, v4
    and-int/lit8 v8, v13, 3
    div-int v3, v2, v8
    rem-int/lit16 v2, v2, 427
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-eq v3, v1, :b17
    :b11
    move/16 v12, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v3, 7
    aput v3, v7, v8
    const v2, -1338429374
    if-ge v3, v3, :fuel5
    :b12
    return v9
    :b13
    mul-int v10, v13, v2
    new-instance v7, LE0;
    invoke-direct {v7, v2}, LE0;-><init>(I)V
    throw v7
    :b14
    xor-int v4, v4, v1
    if-gt v1, v1, :b15
    :b15
    add-int v2, v4, v3
    new-instance v7, LE0;
    invoke-direct {v7, v2}, LE0;-><init>(I)V
    throw v7
    :b16
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v1, v5
    if-gtz v1, :fuel6
    :b17
    :t1_start
    mul-int v3, v4, v3
    xor-int/2addr v4, v2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v4}, LU0;->m1(LCtx;III)I
    move-result v4
    mul-int/2addr v4, v1
    if-eq v4, v2, :fuel7
    nop
    :t1_end
    goto/32 :exit
    .catch Ljava/lang/Exception; {:t0_start .. :t0_end} :fuel8
    .catch LE1; {:t0_start .. :t0_end} :handler10
    .catchall {:t1_start .. :t1_end} :handler12
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler10
    move-exception v7
    goto/32 :fuel9
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler12
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel11
    throw v7
    :exit
    return v1
.end method

.method public static s3(LCtx;III)I
    .registers 16
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 150
    const/16 v10, -120
    const/16 v11, 205
    :b0
    :t2_start
    const v4, 1245479444
    if-eq v1, v2, :b11
    :b1
    :t0_start
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v10
    if-eqz v4, :b5
    :b2
    :b3
    sub-int v4, v10, v1
    if-eqz v4, :fuel1
    :b4
    if-gtz v2, :b9
    nop
    :t0_end
    :b5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v1}, LU0;->m1(LCtx;III)I
    move-result v4
    rem-int/lit16 v1, v3, 2162
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s1(LCtx;III)I
    move-result v2
    and-int/lit8 v8, v10, 3
    rem-int v1, v2, v8
    goto/32 :fuel2
    :b6
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v4}, LU0;->m1(LCtx;III)I
    const v4, -1971421033
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v1
    xor-int/lit8 v2, v2, -96
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse3
    :b7
    goto :b13
    :b8
    sub-int/2addr v1, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    cmp-long v8, v5, v5
    const v4, 2122896842
    if-ne v2, v2, :b11
    nop
    :t2_end
    :b9
    if-eqz v3, :fuel6
    :b10
    if-lez v1, :b13
    :b11
    if-gtz v4, :fuel7
    :b12
    :t1_start
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v9, 7
    aput v1, v7, v8
    and-int/lit8 v8, v2, 31
    packed-switch v8, :packed8
    nop
    :t1_end
    :b13
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v3}, LU1;->m0(LCtx;III)I
    move-result v11
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v10, 7
    aget v1, v7, v8
    const v2, -1771522940
    and-int/lit16 v8, v1, 0x3ff
    sparse-switch v8, :sparse10
    goto/32 :exit
    .catch Ljava/lang/ArrayIndexOutOfBoundsException; {:t0_start .. :t0_end} :handler16
    .catch Ljava/lang/ArithmeticException; {:t0_start .. :t0_end} :handler18
    .catch Ljava/lang/Exception; {:t1_start .. :t1_end} :handler20
    .catchall {:t1_start .. :t1_end} :handler22
    .catchall {:t2_start .. :t2_end} :handler24
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :handler16
    move-exception v7
    goto/32 :fuel15
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :handler18
    move-exception v7
    goto/32 :fuel17
    :fuel19
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :handler20
    move-exception v7
    goto/32 :fuel19
    :fuel21
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :handler22
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel21
    throw v7
    :fuel23
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :handler24
    move-exception v7
    goto/32 :fuel23
    :exit
    return v1
    :sparse3
    .sparse-switch
        -5 -> :b9
    .end sparse-switch
    :packed8
    .packed-switch 3
    .end packed-switch
    :sparse10
    .sparse-switch
        107 -> :fuel14
    .end sparse-switch
.end method

.method public static s4(LCtx;III)I
    .registers 18
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 254
    const/16 v10, 255
    const/16 v11, -27
    const/16 v12, 213
    const/16 v13, 215
    :b0
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v10
    if-ltz v1, :b2
    :b1
    and-int/lit8 v9, v13, -1
    neg-int v1, v2
    if-lt v4, v3, :b8
    :b2
    or-int v1, v11, v2
    goto/32 :b3
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m1(LCtx;III)I
    move-result v3
    if-eq v1, v1, :b7
    :b4
    rem-int/lit16 v4, v4, 974
    mul-int v2, v10, v2
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v3, v5
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v2, v5
    if-ge v4, v4, :b11
    :b5
    mul-int v10, v3, v10
    const v2, 556634365
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse1
    :b6
    if-lt v2, v1, :fuel3
    :b7
    mul-int v3, v4, v11
    add-int/lit8 v3, v1, -83
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v3
    and-int/lit8 v8, v3, 3
    div-int v2, v3, v8
    :b8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s1(LCtx;III)I
    const v10, -1817049703
    neg-int v1, v2
    :b9
    goto :b12
    :b10
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LU0;->m1(LCtx;III)I
    move-result v4
    xor-int/2addr v3, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v1
    if-nez v11, :fuel4
    :b11
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LS;->s3(LCtx;III)I
    move-result v4
    if-gtz v3, :fuel5
    :b12
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s0(LCtx;III)I
    move-result v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v2
    goto/16 :fuel6
    :b13
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s0(LCtx;III)I
    move-result v3
    const v4, -1018585151
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v1}, LU0;->m0(LCtx;III)I
    move-result v2
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse7
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :exit
    return v1
    :sparse1
    .sparse-switch
        839 -> :fuel2
    .end sparse-switch
    :sparse7
    .sparse-switch
        -23 -> :fuel9
        208 -> :fuel11
        223 -> :fuel8
        440 -> :fuel8
        1079 -> :fuel10
    .end sparse-switch
.end method

.method public static s5(LCtx;III)I
    .registers 66
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 172
    const/16 v10, 173
    const/16 v11, -274
    const/16 v12, -108
    const/16 v13, -186
    const/16 v14, 13
    const/16 v15, 4
    const/16 v16, -211
    const/16 v17, 65
    const/16 v18, -233
    const/16 v19, -239
    const/16 v20, -135
    const/16 v21, -16
    const/16 v22, 28
    const/16 v23, 210
    const/16 v24, 200
    const/16 v25, 119
    const/16 v26, -10
    const/16 v27, 161
    const/16 v28, 143
    const/16 v29, 79
    const/16 v30, -275
    const/16 v31, 284
    const/16 v32, -192
    const/16 v33, 62
    const/16 v34, -23
    const/16 v35, -93
    const/16 v36, -151
    const/16 v37, 3
    const/16 v38, 224
    const/16 v39, -207
    const/16 v40, -186
    const/16 v41, -160
    const/16 v42, 212
    const/16 v43, -172
    const/16 v44, -267
    const/16 v45, -18
    const/16 v46, -45
    const/16 v47, 185
    const/16 v48, -4
    const/16 v49, -109
    const/16 v50, -101
    const/16 v51, -191
    const/16 v52, 129
    const/16 v53, 162
    const/16 v54, 163
    const/16 v55, -60
    const/16 v56, 88
    const/16 v57, -129
    const/16 v58, -164
    const/16 v59, -6
    const/16 v60, 79
    const/16 v61, 130
    :b0
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v3, v5
    cmp-long v8, v5, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    :b1
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v1
    sub-int v4, v43, v2
    and-int/lit8 v4, v42, -122
    rem-int/lit16 v1, v4, 2015
    if-le v3, v1, :b13
    :b2
    cmp-long v8, v5, v5
    or-int v24, v30, v49
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s0(LCtx;III)I
    move-result v1
    return v57
    :b3
    ushr-int v24, v1, v4
    sub-int v54, v55, v2
    rem-int/lit16 v3, v2, 29
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse1
    :b4
    cmp-long v8, v5, v5
    mul-int/2addr v3, v1
    add-int/2addr v2, v1
    goto/16 :fuel3
    :b5
    rem-int/lit16 v2, v3, 2136
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v1}, LU0;->m0(LCtx;III)I
    move-result v25
    if-lt v1, v1, :b9
    :b6
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v3, v5
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    const v1, 1255158428
    mul-int v15, v13, v49
    if-gt v1, v4, :fuel4
    :b7
    goto/16 :b15
    :b8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    if-eq v2, v1, :b9
    :b9
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v3}, LU0;->m1(LCtx;III)I
    move-result v49
    mul-int v59, v4, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v3}, LS;->s2(LCtx;III)I
    move-result v50
    if-ltz v1, :b11
    :b10
    ushr-int v45, v4, v1
    if-eqz v18, :fuel5
    :b11
    add-int/lit8 v60, v60, -34
    const v1, 572465966
    const v31, -1482020631
    or-int v2, v2, v3
    if-le v1, v2, :fuel6
    :b12
    and-int/lit8 v8, v20, 3
    div-int v1, v26, v8
    shl-int v3, v1, v38
    if-lez v54, :b17
    :b13
    if-ge v1, v1, :b19
    :b14
    if-eq v1, v1, :b17
    :b15
    mul-int/2addr v3, v2
    rem-int/lit16 v4, v1, 257
    and-int/lit8 v8, v33, 3
    rem-int v2, v4, v8
    :b16
    and-int/lit8 v8, v18, 31
    packed-switch v8, :packed7
    :b17
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LS;->s0(LCtx;III)I
    move-result v3
    rem-int/lit16 v2, v2, 1573
    if-ltz v34, :fuel9
    :b18
    shl-int v24, v21, v1
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    const-string v7, "s\n:b1"
    return v53
    :b19
    rem-int/lit16 v2, v2, 1166
    if-gez v49, :fuel10
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :exit
    return v1
    :sparse1
    .sparse-switch
        33 -> :b14
    .end sparse-switch
    :packed7
    .packed-switch -4
        :fuel8
    .end packed-switch
.end method

