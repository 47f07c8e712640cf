.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 17
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
    const/16 v9, 173
    const/16 v10, -21
    const/16 v11, 202
    const/16 v12, -41
    :b0
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v3}, LS;->s0(LCtx;III)I
    move-result v1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LU1;->m1(LCtx;III)I
    move-result v4
    ushr-int v3, v4, v12
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed1
    :b1
    const-string v7, "s\n:b1"
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v2
    move/16 v12, v3
    goto/16 :fuel2
    :b2
    if-eq v1, v3, :fuel3
    :b3
    if-le v4, v1, :fuel4
    :b4
    if-lt v4, v1, :b7
    :b5
    rem-int/lit16 v3, v3, 895
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m0(LCtx;III)I
    move-result v12
    if-ltz v2, :b6
    :b6
    add-int v1, v2, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    if-lt v3, v4, :fuel5
    :b7
    move/16 v10, v3
    goto/32 :fuel6
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :exit
    return v1
    :packed1
    .packed-switch 17
        :b4
        :b1
        :b1
        :b7
        :b4
        :b4
        :b7
        :b1
    .end packed-switch
.end method

.method public static s1(LCtx;III)I
    .registers 15
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
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -240
    const/16 v10, -165
    :b0
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v4}, LS;->s0(LCtx;III)I
    move-result v2
    if-ne v4, v1, :fuel1
    :b1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s1(LCtx;III)I
    move-result v1
    and-int/lit8 v8, v1, 3
    rem-int v4, v1, v8
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    if-le v1, v4, :b3
    :b2
    :t0_start
    rem-int/lit16 v3, v3, 1414
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 15
    aget v1, v7, v8
    and-int v9, v4, v2
    goto/32 :b3
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v1, v7, v8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LS;->s2(LCtx;III)I
    move-result v1
    sub-int/2addr v4, v2
    if-ge v2, v4, :b5
    :b4
    if-lez v2, :fuel2
    :b5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    goto/16 :fuel3
    :b6
    add-int/lit8 v2, v1, 59
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    and-int v3, v1, v1
    and-int/lit16 v8, v1, 0x3ff
    sparse-switch v8, :sparse4
    :b7
    move/16 v10, v2
    and-int/lit8 v8, v1, 3
    rem-int v2, v10, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aget v3, v7, v8
    move/16 v10, v3
    if-nez v3, :fuel7
    :b8
    shr-int v3, v4, v10
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    and-int/lit8 v8, v1, 3
    rem-int v4, v1, v8
    if-lez v1, :b10
    :b9
    if-lt v1, v4, :fuel8
    :b10
    if-ltz v2, :fuel9
    :b11
    add-int/2addr v1, v4
    sub-int v2, v1, v2
    goto/32 :fuel10
    :b12
    goto/16 :fuel11
    nop
    :t0_end
    goto/32 :exit
    .catch LE1; {:t0_start .. :t0_end} :handler13
    .catch LE0; {:t0_start .. :t0_end} :handler15
    .catchall {:t0_start .. :t0_end} :handler17
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler13
    move-exception v7
    goto/32 :fuel12
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :handler15
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel14
    throw v7
    :fuel16
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :handler17
    move-exception v7
    goto/32 :fuel16
    :exit
    return v1
    :sparse4
    .sparse-switch
        -18 -> :fuel5
        -4 -> :fuel5
        21 -> :fuel6
        92 -> :b8
        110 -> :b10
        217 -> :fuel5
        226 -> :b10
        244 -> :fuel6
        277 -> :b8
        345 -> :b10
        373 -> :b10
        375 -> :b8
        382 -> :fuel6
        421 -> :fuel5
        447 -> :b10
        466 -> :fuel5
        481 -> :b8
        499 -> :b8
        513 -> :b8
        540 -> :fuel6
        699 -> :b8
        783 -> :fuel5
        839 -> :fuel6
        886 -> :b8
        893 -> :fuel5
        905 -> :b8
        914 -> :fuel6
        967 -> :b10
        1011 -> :b8
        1024 -> :fuel5
    .end sparse-switch
.end method

.method public static s2(LCtx;III)I
    .registers 22
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
    const/16 v9, -55
    const/16 v10, 249
    const/16 v11, -124
    const/16 v12, -69
    const/16 v13, -58
    const/16 v14, -31
    const/16 v15, -53
    const/16 v16, -218
    const/16 v17, 296
    :b0
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LU1;->m1(LCtx;III)I
    move-result v9
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s0(LCtx;III)I
    move-result v1
    goto :b1
    :b1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-ne v3, v4, :fuel1
    :b2
    add-int v4, v2, v3
    or-int v9, v3, v2
    :b3
    and-int/lit8 v8, v3, 3
    rem-int v10, v10, v8
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v4
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v2
    goto/16 :b6
    :b4
    rem-int/lit16 v1, v2, 2258
    rem-int/lit16 v4, v2, 2975
    or-int v17, v2, v14
    add-int/lit8 v17, v13, -76
    if-le v3, v4, :fuel2
    :b5
    goto :fuel3
    :b6
    sub-int/2addr v2, v1
    and-int/lit8 v8, v12, 3
    div-int v1, v2, v8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s1(LCtx;III)I
    move-result v4
    :b7
    xor-int v14, v14, v14
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v16, 7
    aget v13, v7, v8
    if-gtz v1, :fuel4
    :b8
    mul-int/lit8 v1, v2, -107
    const v13, 845028215
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v2}, LU1;->m1(LCtx;III)I
    move-result v3
    mul-int v17, v10, v4
    goto/32 :fuel5
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :exit
    return v1
.end method

